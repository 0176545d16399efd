/** Named values of the database as a whole, on which its nodes have to agree. */
import type { Database, Reader } from './database.ts';
import { prepareAll, prepareGet, prepareRun } from './prepare.ts';

export interface Setting {
  readonly name: string;
  readonly value: string;
}

const find = prepareGet<Setting, [name: string]>('select name, value from settings where name = $1');

export async function readSetting(reader: Reader, name: string): Promise<string | undefined> {
  return (await find(reader, name))?.value;
}

/** Sets the value if there is none yet. */
export const addSetting = prepareRun<Setting>(
  'insert into settings (name, value) values ($name, $value) on conflict do nothing',
);

export const writeSetting = prepareRun<[name: string, value: string]>(`
  insert into settings (name, value) values ($1, $2)
  on conflict (name) do update set value = excluded.value`);

export const deleteSetting = prepareRun<[name: string]>('delete from settings where name = $1');

/**
 * Lets the transactions that call it with the same name run one after the other, until the end of each. A setting that
 * does not exist is created without a value.
 */
export const lockSetting = prepareRun<[name: string]>(`
  insert into settings (name, value) values ($1, '')
  on conflict (name) do update set value = settings.value`);

/** Sets the value if there is none yet, and returns the stored one. */
export function claimSetting(database: Database, name: string, value: string): Promise<string> {
  return database.transaction(async (tx) => {
    await addSetting(tx, { name, value });
    return (await readSetting(tx, name))!;
  });
}

const listBetween = prepareAll<Setting, [from: string, to: string]>(
  'select name, value from settings where name >= $1 and name < $2 order by name',
);

/** Returns the settings whose names begin with this text, by name. */
export function readSettings(reader: Reader, start: string): Promise<Setting[]> {
  return listBetween(reader, start, `${start}\u{10ffff}`);
}
