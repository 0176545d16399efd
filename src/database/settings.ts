/** Named values of the database as a whole, on which its nodes have to agree. */
import { type Database, type Reader, sql, type Tx } from './database.ts';

const READ = sql<{ value: string }>('select value from settings where name = $1');
const CLAIM = sql('insert into settings (name, value) values ($1, $2) on conflict do nothing');
const WRITE = sql(`
  insert into settings (name, value) values ($1, $2)
  on conflict (name) do update set value = excluded.value`);

/** Returns the value, or undefined when it was never written. */
export async function readSetting(reader: Reader, name: string): Promise<string | undefined> {
  return (await reader.get(READ, name))?.value;
}

export async function writeSetting(tx: Tx, name: string, value: string): Promise<void> {
  await tx.run(WRITE, name, value);
}

/** Sets the value if there is none yet, and returns the stored one. */
export function claimSetting(database: Database, name: string, value: string): Promise<string> {
  return database.transaction(async (tx) => {
    await tx.run(CLAIM, name, value);
    return (await readSetting(tx, name))!;
  });
}
