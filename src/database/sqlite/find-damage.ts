/** Checks a whole SQLite database. */
import type { Reader, Statement } from '../database.ts';

const INTEGRITY: Statement<{ readonly result: string }> = {
  name: 'integrity',
  text: 'select integrity_check as result from pragma_integrity_check limit 10',
};
const FOREIGN_KEYS: Statement<{ readonly table: string; readonly parent: string }> = {
  name: 'foreign keys',
  text: 'select "table", parent from pragma_foreign_key_check limit 1',
};

/** Returns what is damaged, or null. Reads every page, and looks up every reference. */
export async function findDamage(reader: Reader): Promise<string | null> {
  const results = (await reader.all(INTEGRITY)).map(({ result }) => result);
  if (results.join() !== 'ok') return results.join('; ');
  const orphan = await reader.get(FOREIGN_KEYS);
  return orphan === undefined
    ? null
    : `a row of ${orphan.table} references a missing one of ${orphan.parent}`;
}
