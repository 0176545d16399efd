import { type Reader, sql, type Tx } from '../../../database/database.ts';
import { prepareAll } from '../../../database/prepare.ts';

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

export interface NetworkLogin {
  readonly userId: string;
  /** A keyed hash of the network. */
  readonly network: string;
  readonly now: number;
}

/** Returns whether the network is a new one of a user who has logged in from others. */
export async function storeNetwork(tx: Tx, { userId, network, now }: NetworkLogin): Promise<boolean> {
  // Most logins come from a known network, and need one statement.
  if ((await tx.run(REFRESH, userId, network, now)) === 1) return false;
  await tx.run(ADD, userId, network, now);
  return (await tx.get(HAS_OTHER, userId, network)) !== undefined;
}

/** Returns the networks, as keyed hashes, that the user has logged in from, the latest first. */
export const findLatestNetworks = prepareAll<{ network: string }, [userId: string, limit: number]>(
  'select network from known_networks where user_id = $1 order by last_login_at desc, network limit $2',
);

const FORGET_OLD = sql(`
  delete from known_networks where (user_id, network) in (
    select user_id, network from known_networks where last_login_at < $1 order by last_login_at limit $2)`);

/** Deletes networks whose last login was earlier than `before`; returns their number. */
export function deleteOldNetworks(tx: Tx, before: number, limit: number): Promise<number> {
  return tx.run(FORGET_OLD, before, limit);
}

const OLDEST_HASH = sql<{ password_hash: string }>(`
  select password_hash from users where state >= 'active' and state <= 'active'
    and password_hash is not null
  order by state limit 1`);

/** Returns the password hash of the active user who was created first. */
export async function findOldestPasswordHash(reader: Reader): Promise<string | undefined> {
  return (await reader.get(OLDEST_HASH))?.password_hash;
}

const SEARCH = sql<SearchedBatch>(`
  select max(id) as last, max(case when substr(password_hash, 1, $3) = $2 then id end) as found
  from (select id, password_hash from users where id > $1 order by id limit $4) as batch`);

export interface HashSearch {
  /** The id after which the batch begins. */
  readonly after: string;
  /** The start of the hashes that are looked for. */
  readonly prefix: string;
  readonly limit: number;
}

export interface SearchedBatch {
  /** The last id of the batch; null after all users. */
  readonly last: string | null;
  /** A user of the batch with such a hash. */
  readonly found: string | null;
}

/** Looks for password hashes with this start among the next users by id. */
export async function searchHashes(reader: Reader, search: HashSearch): Promise<SearchedBatch> {
  const { after, prefix, limit } = search;
  return (await reader.get(SEARCH, after, prefix, prefix.length, limit))!;
}
