import { type Reader, sql, type Tx } from '../../../database/database.ts';
import { prepareAll, prepareGet, prepareRun } from '../../../database/prepare.ts';

/** Releases without `first_login_at` have added rows, or still do as other nodes: their last login counts instead. */
const FIRST_LOGIN = sql<{ first_login_at: number }>(`
  select coalesce(first_login_at, last_login_at) as first_login_at
  from known_networks where user_id = $1 and network = $2`);

/** Returns when the user first logged in from this network; null if they never have, or not for a long time. */
export async function findFirstLogin(
  reader: Reader,
  userId: string,
  network: string,
): Promise<number | null> {
  return (await reader.get(FIRST_LOGIN, userId, network))?.first_login_at ?? null;
}

const REFRESH = sql(`
  update known_networks set last_login_at = $3, first_login_at = coalesce(first_login_at, last_login_at)
  where user_id = $1 and network = $2`);

const ADD = sql(`
  insert into known_networks (user_id, network, first_login_at, last_login_at) values ($1, $2, $3, $3)
  on conflict (user_id, network) do update set last_login_at = excluded.last_login_at`);

const HAS_OTHER = sql<{ one: number }>(
  'select 1 as one from known_networks where user_id = $1 and network <> $2 limit 1',
);

/**
 * Records a login from a network, given as a keyed hash. Returns whether it is a new one of a user who has logged in
 * from others.
 */
export async function storeNetwork(
  tx: Tx,
  { userId, network, now }: { userId: string; network: string; now: number },
): Promise<boolean> {
  // Most logins come from a known network, and need one statement.
  if ((await tx.run(REFRESH, userId, network, now)) === 1) return false;
  await tx.run(ADD, userId, network, now);
  return (await tx.get(HAS_OTHER, userId, network)) !== undefined;
}

/** Returns the networks, as keyed hashes, that the user has logged in from, the latest first. */
export const findLatestNetworks = prepareAll<{ network: string }, [userId: string, limit: number]>(
  'select network from known_networks where user_id = $1 order by last_login_at desc, network limit $2',
);

/** Deletes networks whose last login was earlier than `before`; returns their number. */
export const deleteOldNetworks = prepareRun<[before: number, limit: number]>(`
  delete from known_networks where (user_id, network) in (
    select user_id, network from known_networks where last_login_at < $1 order by last_login_at limit $2)`);

/** Returns the password hash of the active user who was created first. */
export const findOldestPasswordHash = prepareGet<{ password_hash: string }>(`
  select password_hash from users where state >= 'active' and state <= 'active'
    and password_hash is not null
  order by state limit 1`);

/**
 * Looks for password hashes that begin with `prefix` among the next users by id. Returns the last id of these users,
 * null after all users, and a user with such a hash.
 */
export const searchHashes = prepareGet<
  { last: string | null; found: string | null },
  { after: string; prefix: string; length: number; limit: number }
>(`
  select max(id) as last, max(case when substr(password_hash, 1, $length) = $prefix then id end) as found
  from (select id, password_hash from users where id > $after order by id limit $limit) as batch`);
