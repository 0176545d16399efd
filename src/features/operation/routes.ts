import type { FeaturePlugin } from '../../lib/routes/feature-plugin.ts';
import { type CheckDeps, checks } from './checks/routes.ts';
import { type ConfigurationDeps, configuration } from './configuration/routes.ts';
import { type StatusDeps, status } from './status/routes.ts';

/** State, settings and checks of a node, for the administrator. */
export const operation: FeaturePlugin<StatusDeps & ConfigurationDeps & CheckDeps> = async (app, deps) => {
  await app.register(status, deps);
  await app.register(configuration, deps);
  await app.register(checks, deps);
};
