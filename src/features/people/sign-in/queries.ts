import type { Tx } from '../../../database/database.ts';
import {
  prepareAll,
  prepareChange,
  prepareExists,
  prepareRun,
  prepareValue,
} from '../../../database/prepare.ts';

/**
 * Returns when the user first logged in from this network; null if they never have, or not for a long time. Rows of
 * earlier releases have no `first_login_at`: their last login counts instead.
 */
export const findFirstLogin = prepareValue<number | null, [userId: string, network: string]>(`
  select min(coalesce(first_login_at, last_login_at)) as first_login_at
  from known_networks where user_id = $1 and network = $2`);

interface NetworkLogin {
  readonly userId: string;
  readonly network: string;
  readonly now: number;
}

const refreshNetwork = prepareChange<NetworkLogin>(`
  update known_networks set last_login_at = $now, first_login_at = coalesce(first_login_at, last_login_at)
  where user_id = $userId and network = $network`);

const addNetwork = prepareRun<NetworkLogin>(`
  insert into known_networks (user_id, network, first_login_at, last_login_at)
    values ($userId, $network, $now, $now)
  on conflict (user_id, network) do update set last_login_at = excluded.last_login_at`);

const hasOtherNetwork = prepareExists<NetworkLogin>(
  'select 1 as one from known_networks where user_id = $userId and network <> $network limit 1',
);

/** Records a login from a network (its keyed hash). Returns whether it is a new one of a user who has used others. */
export async function storeNetwork(tx: Tx, login: NetworkLogin): Promise<boolean> {
  // Most logins come from a known network, and need one statement.
  if (await refreshNetwork(tx, login)) return false;
  await addNetwork(tx, login);
  return hasOtherNetwork(tx, login);
}

/** Returns the networks, as keyed hashes, that the user has logged in from, the latest first. */
export const findLatestNetworks = prepareAll<{ network: string }, [userId: string, limit: number]>(
  'select network from known_networks where user_id = $1 order by last_login_at desc, network limit $2',
);

/** Deletes networks whose last login was earlier than `before`; returns their number. */
export const deleteOldNetworks = prepareRun<[before: number, limit: number]>(`
  delete from known_networks where (user_id, network) in (
    select user_id, network from known_networks where last_login_at < $1 order by last_login_at limit $2)`);
