/** Ids of the users that one filter leaves, each from an index that has all it reads. */
import { type Reader, sql } from '../../../../../database/database.ts';
import { endOfPrefix } from '../../../../../lib/text/prefix-range.ts';

interface Id {
  readonly id: string;
}

const range = (column: string) => `${column} >= $1 and ${column} < $2 order by ${column}`;

const BY_ID = sql<Id>(`select id from users where ${range('id')} limit $3`);
const BY_CREATION = sql<Id>(`select id from users where ${range('created_at')} limit $3`);
const BY_LOGIN = sql<Id>(`select id from users where ${range('last_login_at')} limit $3`);
const BY_TOKEN = sql<Id>('select user_id as id from tokens where first_characters = $1 limit $2');
const BY_EXACT_EMAIL = sql<Id>('select id from users where email_key = $1 order by email_key, id limit $2');
const BY_LEVEL = sql<Id>('select id from users where level = $1 order by level, id limit $2');
/** With an order that only one index has. */
const BY_STATE = sql<Id>(
  'select id from users where state >= $1 and state <= $1 order by state, created_at limit $2',
);

const TIMES = { created: BY_CREATION, lastLogin: BY_LOGIN };
const EXACT = { token: BY_TOKEN, email: BY_EXACT_EMAIL, level: BY_LEVEL, state: BY_STATE };

const toIds = (rows: readonly Id[]) => rows.map(({ id }) => id);

/** Returns the ids that begin with a prefix. */
export async function idsByPrefix(reader: Reader, prefix: string, limit: number): Promise<string[]> {
  return toIds(await reader.all(BY_ID, prefix, endOfPrefix(prefix), limit));
}

/** Returns ids by a range of times: from inclusive, to exclusive. */
export async function idsByTime(
  reader: Reader,
  kind: keyof typeof TIMES,
  { from, to, limit }: { readonly from: number | null; readonly to: number | null; readonly limit: number },
): Promise<string[]> {
  const [first, last] = [from ?? Number.MIN_SAFE_INTEGER, to ?? Number.MAX_SAFE_INTEGER];
  return toIds(await reader.all(TIMES[kind], first, last, limit));
}

/** Returns ids by a whole value. */
export async function idsByValue(
  reader: Reader,
  kind: keyof typeof EXACT,
  { value, limit }: { readonly value: string; readonly limit: number },
): Promise<string[]> {
  return toIds(await reader.all(EXACT[kind], value, limit));
}
