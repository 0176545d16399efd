/** The values that the administrator has stored in the database. */
import type { Reader, Tx } from '../database/database.ts';
import { prepareAll, prepareRun } from '../database/prepare.ts';
import { lockSetting, readSetting, writeSetting } from '../database/settings.ts';

const listTexts = prepareAll<{ name: string; value: string }>('select name, value from run_time_settings');
const writeText = prepareRun<[name: string, text: string]>(`
  insert into run_time_settings (name, value) values ($1, $2)
  on conflict (name) do update set value = excluded.value`);
const deleteText = prepareRun<[name: string]>('delete from run_time_settings where name = $1');

/** The setting of the database that every change increments: nodes read the values only when it differs. */
const VERSION = 'run_time_settings';

export async function readVersion(reader: Reader): Promise<number> {
  return Number(await readSetting(reader, VERSION)) || 0;
}

/** Returns the texts by name: at most one for each setting that a release has known. */
export async function readStoredTexts(reader: Reader): Promise<Map<string, string>> {
  return new Map((await listTexts(reader)).map(({ name, value }) => [name, value]));
}

/** Lets changes run one after the other, and returns the version before this one. */
export async function lockVersion(tx: Tx): Promise<number> {
  await lockSetting(tx, VERSION);
  return readVersion(tx);
}

export async function writeVersion(tx: Tx, version: number): Promise<void> {
  await writeSetting(tx, VERSION, String(version));
}

/** Stores a text, or deletes the stored one for null. */
export async function writeStoredText(tx: Tx, name: string, text: string | null): Promise<void> {
  if (text === null) await deleteText(tx, name);
  else await writeText(tx, name, text);
}
