import { createFixedCredentials } from '../../src/callers/callers.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/lib/log/log.ts';
import { MAX_BODY_BYTES } from '../../src/plugins/bodies/accept-bodies.ts';
import { listRoutes } from '../../src/plugins/route-table.ts';
import { buildServer } from '../../src/server.ts';
import type { AppDeps } from '../../src/server-deps.ts';
import { readCurrentSettings } from './settings.ts';

const { app } = buildServer({
  ...readConfig({}),
  adminCredentials: createFixedCredentials([]),
  secretKey: 'k'.repeat(32),
  logger: createLog('silent'),
  database: { sharedLimits: null },
  settings: { current: readCurrentSettings() },
  clock: Date.now,
} as unknown as AppDeps);
await app.ready();

/** The table of routes, for inspection: their handlers cannot be called, because their dependencies are missing. */
export const routes = listRoutes(app).map((route) => ({ ...route, ...route.config }));

/** The most bytes that bodies of the routes may have. */
export const bodyLimits = new Set(app.routeTable.map(({ bodyLimit = MAX_BODY_BYTES }) => bodyLimit));
