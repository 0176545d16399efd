import type { Reader, Tx } from '../../../database/database.ts';
import {
  prepareAll,
  prepareChange,
  prepareExists,
  prepareGet,
  prepareRun,
  prepareValue,
} from '../../../database/prepare.ts';
import { deleteTokensOfIdleSessions, deleteTokensOfSession, SESSION_IDLE_MS } from '../tokens/queries.ts';

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

/** Deletes networks whose last login was earlier than `before`; returns their number. */
export const deleteOldNetworks = prepareRun<[before: number, limit: number]>(`
  delete from known_networks where (user_id, network) in (
    select user_id, network from known_networks where last_login_at < $1 order by last_login_at limit $2)`);

export const insertChallenge = prepareRun<{ hash: string; userId: string; amr: string; expiresAt: number }>(`
  insert into sign_in_challenges (hash, user_id, amr, tries, expires_at)
  values ($hash, $userId, $amr, 0, $expiresAt)`);

/** `amr`: separated by spaces. */
export const findChallenge = prepareGet<{ user_id: string; amr: string }, [hash: string, now: number]>(
  'select user_id, amr from sign_in_challenges where hash = $1 and expires_at > $2',
);

/** Counts a try. Returns whether there was one left. */
export const useTry = prepareChange<[hash: string, maxTries: number]>(
  'update sign_in_challenges set tries = tries + 1 where hash = $1 and tries < $2',
);

/** Deletes a challenge. Returns whether it was still there. */
export const deleteChallenge = prepareChange<[hash: string]>(
  'delete from sign_in_challenges where hash = $1',
);

/** Deletes challenges that have expired at `now`; returns their number. */
export const deleteExpiredChallenges = prepareRun<[now: number, limit: number]>(`
  delete from sign_in_challenges where hash in (
    select hash from sign_in_challenges where expires_at <= $1 order by expires_at limit $2)`);

/** Times in epoch milliseconds. */
export interface SessionRow {
  readonly id: string;
  readonly user_id: string;
  /** Separated by spaces. */
  readonly amr: string;
  readonly authenticated_at: number;
  readonly created_at: number;
  readonly last_used_at: number;
  readonly expires_at: number;
  readonly device: string | null;
  readonly network: string | null;
}

const COLUMNS = 'id, user_id, amr, authenticated_at, created_at, last_used_at, expires_at, device, network';

/** `hash`: SHA-256 of the token in hex. */
export const insertSession = prepareRun<
  SessionRow & { readonly hash: string; readonly form_hash: string | null; readonly form_nonce: string }
>(`
  insert into sign_in_sessions (hash, form_hash, form_nonce, ${COLUMNS}) values ($hash, $form_hash, $form_nonce,
    $id, $user_id, $amr, $authenticated_at, $created_at, $last_used_at, $expires_at, $device, $network)`);

/** Returns the last session that the same form has started after this time. */
export const findStartedBy = prepareGet<{ readonly form_nonce: string }, [formHash: string, after: number]>(`
  select form_nonce from sign_in_sessions where form_hash = $1 and created_at > $2 order by id desc limit 1`);

const findByHash = prepareGet<SessionRow, { hash: string; now: number; usedAfter: number }>(`
  select ${COLUMNS} from sign_in_sessions
  where hash = $hash and expires_at > $now and last_used_at > $usedAfter`);

/** Returns undefined for unknown sessions and those that have expired at `now`. */
export const findLiveSession = (reader: Reader, hash: string, now: number) =>
  findByHash(reader, { hash, now, usedAfter: now - SESSION_IDLE_MS });

const listByUser = prepareAll<SessionRow, { userId: string; now: number; usedAfter: number }>(`
  select ${COLUMNS} from sign_in_sessions
  where user_id = $userId and expires_at > $now and last_used_at > $usedAfter order by id desc`);

/** Returns the live sessions of a user, newest first. */
export const listLiveSessions = (reader: Reader, userId: string, now: number) =>
  listByUser(reader, { userId, now, usedAfter: now - SESSION_IDLE_MS });

/** Does not change the session if it was used after `before`. */
export const recordUse = prepareRun<{ id: string; now: number; before: number }>(
  'update sign_in_sessions set last_used_at = $now where id = $id and last_used_at <= $before',
);

const deleteOldest = prepareAll<Pick<SessionRow, 'id'>, { user_id: string; count: number }, Tx>(`
  delete from sign_in_sessions where user_id = $user_id and id not in (
    select id from sign_in_sessions where user_id = $user_id order by id desc limit $count) returning id`);

/** Deletes all sessions of the user but the newest, and the tokens that come from them. */
export async function keepNewestSessions(tx: Tx, kept: { user_id: string; count: number }): Promise<void> {
  for (const { id } of await deleteOldest(tx, kept))
    await deleteTokensOfSession(tx, { sessionId: id, userId: kept.user_id });
}

export const deleteSession = prepareRun<{ id: string; userId: string }>(
  'delete from sign_in_sessions where id = $id and user_id = $userId',
);

/** Stores what a session is shown, encrypted. */
export const writeShown = prepareRun<{ id: string; shown: Uint8Array; until: number }>(
  'update sign_in_sessions set shown = $shown, shown_until = $until where id = $id',
);

/** Deletes what the sessions of a user are shown. */
export const deleteShown = prepareRun<[userId: string]>(
  'update sign_in_sessions set shown = null where user_id = $1',
);

export const findShown = prepareGet<{ readonly shown: Uint8Array }, [id: string, now: number]>(
  'select shown from sign_in_sessions where id = $1 and shown_until > $2 and shown is not null',
);

/** Deletes what sessions are not shown any more at `now`; returns how many have been. */
export const deleteExpiredShown = prepareRun<[now: number, limit: number]>(`
  update sign_in_sessions set shown = null where id in (
    select id from sign_in_sessions where shown is not null and shown_until <= $1 order by shown_until limit $2)`);

const deleteIdle = prepareRun<[usedBefore: number, limit: number]>(`
  delete from sign_in_sessions where id in (
    select id from sign_in_sessions where last_used_at <= $1 order by last_used_at limit $2)`);

/**
 * Deletes sessions that were not used for so long at `now`, after the tokens that come from them; those that have expired
 * are not used. At most `limit` of each; returns `limit` if there may be more.
 */
export async function deleteEndedSessions(tx: Tx, now: number, limit: number): Promise<number> {
  const usedBefore = now - SESSION_IDLE_MS;
  const tokens = await deleteTokensOfIdleSessions(tx, usedBefore, limit);
  return tokens === limit ? limit : deleteIdle(tx, usedBefore, limit);
}
