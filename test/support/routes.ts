import { type AppDeps, routeTable } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';

/** The table of routes, to look at: what the handlers would need is not there. */
export const routes = routeTable({
  ...readConfig({}),
  secretKey: 'k'.repeat(32),
  database: { sharedLimits: null },
  clock: Date.now,
} as unknown as AppDeps);
