import type { FeaturePlugin } from '../../lib/routes/feature-plugin.ts';
import type { CheckDeps } from './checks/check-node.ts';
import { checks } from './checks/routes.ts';
import { type ConfigurationDeps, configuration } from './configuration/routes.ts';
import { status } from './status/routes.ts';
import type { StatusDeps } from './status/status.ts';

/** State, settings and checks of a node, for the administrator. */
export const operation: FeaturePlugin<StatusDeps & ConfigurationDeps & CheckDeps> = async (app, deps) => {
  await app.register(status, deps);
  await app.register(configuration, deps);
  await app.register(checks, deps);
};
