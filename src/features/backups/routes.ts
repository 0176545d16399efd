import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { listBackupsOperation, requestBackupOperation } from './schemas.ts';
import { type BackupsDeps, listBackups, requestBackup } from './status/list-backups.ts';

const PATH = '/api/v1/admin/backups';

export const backups: FeaturePlugin<BackupsDeps> = async (app, deps) => {
  app.get(
    PATH,
    { schema: listBackupsOperation, config: { access: 'admin', scope: 'settings:read' } },
    async () => ({ message: 'Backups', data: await listBackups(deps) }),
  );
  app.post(
    PATH,
    {
      schema: requestBackupOperation,
      config: { access: 'admin', scope: 'settings:write', problems: ['backups_disabled'] },
    },
    async (_request, reply) => {
      await requestBackup(deps);
      return reply.code(202).send({ message: 'Backup requested' });
    },
  );
};
