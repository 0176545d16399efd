import type { Reader, Tx } from '../../database/database.ts';
import { prepareGet, prepareRun } from '../../database/prepare.ts';
import { IDLE_MS } from './rules.ts';

/** Times in epoch milliseconds. */
export interface SessionRow {
  /** Fingerprint of the value of ADMIN_TOKEN. Sessions of earlier releases may refer to a named credential. */
  readonly credential: string;
  readonly created_at: number;
  readonly last_used_at: number;
  readonly expires_at: number;
}

/** Stores a session that was last used when it was created. `hash`: SHA-256 of the token in hex. */
export const insertSession = prepareRun<Omit<SessionRow, 'last_used_at'> & { readonly hash: string }>(`
  insert into console_sessions (hash, credential, created_at, last_used_at, expires_at)
  values ($hash, $credential, $created_at, $created_at, $expires_at)`);

const findUsedAfter = prepareGet<SessionRow, [hash: string, now: number, usedAfter: number]>(`
  select credential, created_at, last_used_at, expires_at from console_sessions
  where hash = $1 and expires_at > $2 and last_used_at > $3`);

/** Returns undefined for unknown sessions and those that have expired at `now`. */
export function findLiveSession(reader: Reader, hash: string, now: number): Promise<SessionRow | undefined> {
  return findUsedAfter(reader, hash, now, now - IDLE_MS);
}

/** Does not change the session if it was used after `before`. */
export const recordUse = prepareRun<{ hash: string; now: number; before: number }>(
  'update console_sessions set last_used_at = $now where hash = $hash and last_used_at <= $before',
);

/** Deletes all sessions of the value but this one and the newest of the others. */
export const keepNewestSessions = prepareRun<{ credential: string; hash: string; others: number }>(`
  delete from console_sessions where credential = $credential and hash <> $hash and hash not in (
    select hash from console_sessions
    where credential = $credential and hash <> $hash order by created_at desc, hash limit $others)`);

export const deleteSession = prepareRun<[hash: string]>('delete from console_sessions where hash = $1');

const deleteEnded = prepareRun<[now: number, usedBefore: number, limit: number]>(`
  delete from console_sessions where hash in (
    select hash from console_sessions where expires_at <= $1 or last_used_at <= $2 limit $3)`);

/** Deletes sessions that have expired at `now`; returns their number. */
export function deleteEndedSessions(tx: Tx, now: number, limit: number): Promise<number> {
  return deleteEnded(tx, now, now - IDLE_MS, limit);
}
