/** Verifies a backup by a drill: restores it into a database of its own, and starts a service on it. */
import { withScratchDatabase } from '../../database/replace.ts';
import { checkIntegrity, checkSealed, silence } from '../../features/backups/restore/check-restored.ts';
import {
  type BackupSource,
  type LoadedBackup,
  loadBackup,
} from '../../features/backups/restore/load-backup.ts';
import { formatCount } from '../../lib/text/text.ts';
import { probeService } from './probe-service.ts';

export interface DrillOptions {
  /** Directory in which the copy is made. */
  readonly dataDir: string;
  readonly onRows?: (rows: number) => void;
  /** Is called with the description of each check that has passed. */
  readonly onCheck?: (description: string) => void;
}

/** @throws BackupRejected with the reason */
export function verifyBackup(
  source: BackupSource & { readonly secretKey: string },
  { dataDir, onRows, onCheck = () => {} }: DrillOptions,
): Promise<LoadedBackup> {
  return withScratchDatabase(dataDir, 'drill', async (database, directory) => {
    const { secretKey } = source;
    const loaded = await loadBackup(database, source, onRows);
    onCheck(`restored ${formatCount(loaded.rows, 'row')}; number and digest of each table are right`);
    onCheck(`verified the chain of ${formatCount(loaded.events, 'event')}`);
    await checkIntegrity(database);
    onCheck('checked the integrity of the database and all references');
    onCheck(`SECRET_KEY opens ${await checkSealed(database, secretKey)}`);
    await silence(database);
    await database.close();
    await probeService(directory, secretKey);
    onCheck('started a service on it: registration, login and GET /api/v1/me succeed');
    return loaded;
  });
}
