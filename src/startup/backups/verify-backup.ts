/** Verifies a backup by a drill: restores it into a database of its own, and starts a service on it. */
import type { Database } from '../../database/database.ts';
import { withScratchDatabase } from '../../database/replace.ts';
import { findDamage } from '../../database/sqlite/find-damage.ts';
import { deleteRows, listTables, readPages } from '../../database/tables.ts';
import { BackupRejected } from '../../features/backups/format/manifest.ts';
import { type BackupSource, loadBackup } from '../../features/backups/restore/load-backup.ts';
import { createSeal, SEALED_COLUMNS, type SealPurpose, tryUnseal } from '../../lib/secrets/encryption.ts';
import { formatCount } from '../../lib/text/text.ts';
import { probeService } from './probe-service.ts';

interface DrillOptions {
  /** Directory in which the copy is made. */
  readonly dataDir: string;
  readonly onRows?: (rows: number) => void;
  /** Is called with the description of each check that has passed. */
  readonly onCheck?: (description: string) => void;
}

/** @throws BackupRejected with the reason */
export async function verifyBackup(
  source: BackupSource & { readonly secretKey: string },
  { dataDir, onRows, onCheck = () => {} }: DrillOptions,
): Promise<void> {
  const { secretKey } = source;
  await withScratchDatabase(dataDir, 'drill', async (database, directory) => {
    const { rows, events } = await loadBackup(database, source, { onRows });
    onCheck(`restored ${formatCount(rows, 'row')}; number and digest of each table are right`);
    onCheck(`verified the chain of ${formatCount(events, 'event')}`);
    const damage = await findDamage(database);
    if (damage !== null) throw new BackupRejected(`the restored database is damaged: ${damage}`);
    onCheck('checked the integrity of the database and all references');
    onCheck(`SECRET_KEY opens ${await checkSealed(database, secretKey)}`);
    await silence(database);
    await database.close();
    await probeService(directory, secretKey);
    onCheck('started a service on it: registration, login and GET /api/v1/me succeed');
  });
}

/** Returns how many secrets SECRET_KEY opens. Some may be of an earlier key that was lost. @throws BackupRejected */
async function checkSealed(database: Database, secretKey: string): Promise<string> {
  const purposes = Object.keys(SEALED_COLUMNS) as SealPurpose[];
  const seals = purposes.flatMap((purpose) =>
    SEALED_COLUMNS[purpose].map((column) => [column, createSeal(secretKey, purpose)] as const),
  );
  let [opened, total] = [0, 0];
  for (const table of await listTables(database, database.engine)) {
    const names = table.columns.map(({ name }) => `${table.name}.${name}`);
    const sealed = seals.filter(([column]) => names.includes(column));
    if (sealed.length === 0) continue;
    // Each secret is bound to the primary key of its row.
    const id = names.indexOf(`${table.name}.${table.key[0]}`);
    for await (const rows of readPages(database, table))
      for (const [column, seal] of sealed)
        for (const row of rows) {
          const value = row[names.indexOf(column)];
          if (!(value instanceof Uint8Array)) continue;
          total++;
          if (tryUnseal(seal, String(row[id]), value) !== null) opened++;
        }
  }
  if (opened === 0 && total > 0) throw new BackupRejected('SECRET_KEY opens none of its secrets');
  return `${opened} of ${total} secrets`;
}

/** Tables that make a service on a copy send messages or reject a new account. */
const SILENCED = ['jobs', 'webhook_endpoints', 'run_time_settings'];

/** Makes a copy of the database safe to run a service on. */
export async function silence(database: Database): Promise<void> {
  const tables = await listTables(database, database.engine);
  await database.transaction(async (tx) => {
    for (const table of tables) if (SILENCED.includes(table.name)) await deleteRows(tx, table);
  });
}
