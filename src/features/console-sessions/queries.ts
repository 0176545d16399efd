import { type Reader, sql, type Tx } from '../../database/database.ts';
import { IDLE_MS } from './rules.ts';

/** Times in epoch milliseconds. */
export interface SessionRow {
  /** Refers to the credential that the session was started with. */
  readonly credential: string;
  readonly created_at: number;
  readonly last_used_at: number;
  readonly expires_at: number;
}

export interface NewSession extends Omit<SessionRow, 'last_used_at'> {
  /** SHA-256 of the token in hex. */
  readonly hash: string;
}

const INSERT = sql(`
  insert into console_sessions (hash, credential, created_at, last_used_at, expires_at)
  values ($1, $2, $3, $3, $4)`);

/** Stores a session that was last used when it was created. */
export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  const { hash, credential, created_at, expires_at } = session;
  await tx.run(INSERT, hash, credential, created_at, expires_at);
}

const FIND_LIVE = sql<SessionRow>(`
  select credential, created_at, last_used_at, expires_at from console_sessions
  where hash = $1 and expires_at > $2 and last_used_at > $3`);

/** Returns undefined for unknown sessions and those that have expired at `now`. */
export function findLiveSession(reader: Reader, hash: string, now: number): Promise<SessionRow | undefined> {
  return reader.get(FIND_LIVE, hash, now, now - IDLE_MS);
}

const RECORD_USE = sql(
  'update console_sessions set last_used_at = $2 where hash = $1 and last_used_at <= $3',
);

export interface SessionUse {
  readonly hash: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Does not change the session if it was used after this time. */
  readonly before: number;
}

export async function recordUse(tx: Tx, { hash, now, before }: SessionUse): Promise<void> {
  await tx.run(RECORD_USE, hash, now, before);
}

const KEEP_NEWEST = sql(`
  delete from console_sessions where credential = $1 and hash <> $2 and hash not in (
    select hash from console_sessions
    where credential = $1 and hash <> $2 order by created_at desc, hash limit $3)`);

/** Deletes all but `count` sessions of the credential: this one and the newest of the others are kept. */
export async function keepNewestSessions(
  tx: Tx,
  { credential, hash }: Pick<NewSession, 'credential' | 'hash'>,
  count: number,
): Promise<void> {
  await tx.run(KEEP_NEWEST, credential, hash, count - 1);
}

const DELETE = sql('delete from console_sessions where hash = $1');

export async function deleteSession(tx: Tx, hash: string): Promise<void> {
  await tx.run(DELETE, hash);
}

const DELETE_OTHERS = sql('delete from console_sessions where credential = $1 and hash <> $2');

/** Deletes the sessions that refer to this credential, but the one with this hash. */
export async function deleteOtherSessions(tx: Tx, credential: string, hash: string): Promise<void> {
  await tx.run(DELETE_OTHERS, credential, hash);
}

const DELETE_ENDED = sql(`
  delete from console_sessions where hash in (
    select hash from console_sessions where expires_at <= $1 or last_used_at <= $2 limit $3)`);

/** Deletes sessions that have expired at `now`; returns their number. */
export function deleteEndedSessions(tx: Tx, now: number, limit: number): Promise<number> {
  return tx.run(DELETE_ENDED, now, now - IDLE_MS, limit);
}
