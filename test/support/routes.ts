import { type RouteTableDeps, routeTable } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';

/** The route table for inspection: its handlers cannot be called, because their dependencies are missing. */
export const routes = routeTable({
  ...readConfig({}),
  secretKey: 'k'.repeat(32),
  database: { sharedLimits: null },
  clock: Date.now,
} as unknown as RouteTableDeps);
