/** Named values of the database as a whole, on which its nodes have to agree. */
import { type Database, type Reader, sql, type Tx } from './database.ts';

const READ = sql<{ value: string }>('select value from settings where name = $1');
const CLAIM = sql('insert into settings (name, value) values ($1, $2) on conflict do nothing');
const WRITE = sql(`
  insert into settings (name, value) values ($1, $2)
  on conflict (name) do update set value = excluded.value`);

const GROUP = sql<Setting>('select name, value from settings where name >= $1 and name < $2 order by name');
const DELETE = sql('delete from settings where name = $1');

export interface Setting {
  readonly name: string;
  readonly value: string;
}

export async function readSetting(reader: Reader, name: string): Promise<string | undefined> {
  return (await reader.get(READ, name))?.value;
}

export async function writeSetting(tx: Tx, name: string, value: string): Promise<void> {
  await tx.run(WRITE, name, value);
}

const LOCK = sql('update settings set value = value where name = $1');

/** Lets the transactions that call it with the same name run one after the other, until the end of each. */
export async function lockSetting(tx: Tx, name: string): Promise<void> {
  await tx.run(LOCK, name);
}

/** Sets the value if there is none yet, and returns the stored one. */
export function claimSetting(database: Database, name: string, value: string): Promise<string> {
  return database.transaction(async (tx) => {
    await addSetting(tx, { name, value });
    return (await readSetting(tx, name))!;
  });
}

/** Returns the settings whose names begin with this text, by name. */
export function readSettings(reader: Reader, start: string): Promise<Setting[]> {
  return reader.all(GROUP, start, `${start}\u{10ffff}`);
}

export async function addSetting(tx: Tx, { name, value }: Setting): Promise<void> {
  await tx.run(CLAIM, name, value);
}

export async function deleteSetting(tx: Tx, name: string): Promise<void> {
  await tx.run(DELETE, name);
}
