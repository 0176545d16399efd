/** Checks of a restored database that need no service. */
import type { Database } from '../../../database/database.ts';
import { findDamage } from '../../../database/sqlite/find-damage.ts';
import { deleteRows, listTables } from '../../../database/tables.ts';
import { createSeal, tryUnseal } from '../../../lib/secrets/encryption.ts';
import { BackupRejected } from '../format/manifest.ts';
import { SEALED } from '../queries.ts';

/** Checks pages and references. @throws BackupRejected */
export async function checkIntegrity(database: Database): Promise<void> {
  const damage = await findDamage(database);
  if (damage !== null) throw new BackupRejected(`the restored database is damaged: ${damage}`);
}

/** Returns how many secrets SECRET_KEY opens. Some may be of an earlier key that was lost. @throws BackupRejected */
export async function checkSealed(database: Database, secretKey: string): Promise<string> {
  let [opened, total] = [0, 0];
  for (const [purpose, read] of Object.entries(SEALED)) {
    const seal = createSeal(secretKey, purpose);
    for (const { id, sealed } of await read(database)) {
      total++;
      if (tryUnseal(seal, id, sealed) !== null) opened++;
    }
  }
  if (opened === 0 && total > 0) throw new BackupRejected('SECRET_KEY opens none of its secrets');
  return `${opened} of ${total} secrets`;
}

/** What would make a service on a copy send messages or reject a new account. */
const SILENCED = ['jobs', 'webhook_endpoints', 'run_time_settings'];

/** Makes a copy of the database safe to run a service on. */
export async function silence(database: Database): Promise<void> {
  const tables = await listTables(database, database.engine);
  await database.transaction(async (tx) => {
    for (const table of tables) if (SILENCED.includes(table.name)) await deleteRows(tx, table);
  });
}
