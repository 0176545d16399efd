import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { backups } from '../backups/routes.ts';
import type { BackupsDeps } from '../backups/status/list-backups.ts';
import { type CheckDeps, checks } from './checks/routes.ts';
import { type ConfigurationDeps, configuration } from './configuration/routes.ts';
import { type StatusDeps, status } from './status-routes.ts';

/** What operators ask about the service, and change while it runs. */
export const operation: FeaturePlugin<BackupsDeps & StatusDeps & ConfigurationDeps & CheckDeps> = async (
  app,
  deps,
) => {
  app.register(backups, deps);
  app.register(status, deps);
  app.register(configuration, deps);
  app.register(checks, deps);
};
