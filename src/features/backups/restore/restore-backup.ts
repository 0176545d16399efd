/** Restores a backup into the database of the settings. */
import type { DatabaseSettings } from '../../../database/open.ts';
import { replaceDatabase } from '../../../database/replace.ts';
import { withMarks } from '../../events/chain/marks.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { ReportRows } from '../create-backup.ts';
import { type BackupSource, loadBackup } from './load-backup.ts';

/** No service may use a SQLite database meanwhile. @throws BackupRejected, DatabaseNotEmpty, DatabaseUnavailable */
export function restoreBackup(
  settings: DatabaseSettings,
  source: BackupSource,
  { replaces, onRows }: { readonly replaces: boolean; readonly onRows: ReportRows },
) {
  return replaceDatabase({
    settings,
    replaces,
    fill: async (database) => {
      const loaded = await loadBackup(database, source, onRows);
      const { secretKey } = source;
      if (secretKey === null) return loaded;
      const { id, created_at } = loaded.manifest;
      await withMarks(database, () => secretKey).transaction((tx) =>
        recordEvent(tx, {
          type: 'backup.restored',
          subject: 'backups',
          details: { id, created_at, rows: loaded.rows },
          now: Date.now(),
        }),
      );
      return loaded;
    },
  });
}
