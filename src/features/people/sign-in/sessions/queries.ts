import type { Reader, Tx } from '../../../../database/database.ts';
import { prepareAll, prepareGet, prepareRun } from '../../../../database/prepare.ts';
import { deleteTokensOfIdleSessions, deleteTokensOfSession } from '../../tokens/queries.ts';
import { SESSION_IDLE_MS } from '../../tokens/token-end.ts';

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
export const insertSession = prepareRun<SessionRow & { readonly hash: string }>(`
  insert into sign_in_sessions (hash, ${COLUMNS}) values ($hash, $id, $user_id, $amr, $authenticated_at,
    $created_at, $last_used_at, $expires_at, $device, $network)`);

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
  for (const { id } of await deleteOldest(tx, kept)) await deleteTokensOfSession(tx, id);
}

export const deleteSession = prepareRun<{ id: string; userId: string }>(
  'delete from sign_in_sessions where id = $id and user_id = $userId',
);

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
