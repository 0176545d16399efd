/** Ids of the users who match one filter, each read from a covering index. */
import { type Reader, sql, type Value } from '../../../../database/database.ts';

const select = (condition: string, order: string, limit: string) =>
  sql<{ id: string }>(`select id from users where ${condition} order by ${order} limit ${limit}`);
const byRange = (column: string) => select(`${column} >= $1 and ${column} < $2`, column, '$3');

/** By a value, or by a range: from inclusive, to exclusive. */
const STATEMENTS = {
  idPrefix: byRange('id'),
  created: byRange('created_at'),
  lastLogin: byRange('last_login_at'),
  email: select('email_key = $1', 'email_key, id', '$2'),
  role: select('role = $1', 'role, id', '$2'),
  level: select('level = $1', 'level, id', '$2'),
  // With an order that only one index has.
  state: select('state >= $1 and state <= $1', 'state, created_at', '$2'),
  token: sql<{ id: string }>('select user_id as id from tokens where first_characters = $1 limit $2'),
};

/** Returns the ids of at most `limit` users. */
export async function listIdsBy(
  reader: Reader,
  [kind, ...values]: readonly [keyof typeof STATEMENTS, ...Value[]],
  limit: number,
): Promise<string[]> {
  return (await reader.all(STATEMENTS[kind], ...values, limit)).map(({ id }) => id);
}
