import { deleteEmptyPeriods } from '../../database/counters.ts';
import { type Reader, sql, type Tx } from '../../database/database.ts';
import { hourNumber } from '../../lib/time/clock.ts';
import { USER_COLUMNS, type UserRow } from '../users/records/queries.ts';

/** Counter of stored tokens by the hour in which they expire. */
export const TOKENS_COUNTER = 'tokens';

/** Old enough that no token of these hours can be issued meanwhile, whatever the clock of another node. */
const COUNTERS_KEPT_HOURS = 48;

/** Deletes counters of past hours in which no stored token expires. Returns the number of rows. */
export function deleteTokenCounters(tx: Tx, now: number, limit: number): Promise<number> {
  return deleteEmptyPeriods(tx, TOKENS_COUNTER, { before: hourNumber(now) - COUNTERS_KEPT_HOURS, limit });
}

/** A token as the API lists it, without its hash. Times are in epoch milliseconds. */
export interface TokenRow {
  readonly id: string;
  readonly name: string;
  /** The start of the token text; null for tokens from before it was stored. */
  readonly first_characters: string | null;
  /** Separated by spaces (RFC 6749 section 3.3). */
  readonly scopes: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly expires_at: number;
  /** The program that it was created with, as it describes itself. */
  readonly device: string | null;
  /** The networks of its creation and its last use; null when they are older than 30 days. */
  readonly network: string | null;
  readonly last_used_network: string | null;
}

type UnusedToken = Omit<TokenRow, 'last_used_at' | 'last_used_network' | 'device' | 'network'>;

export interface NewToken extends UnusedToken {
  readonly hash: string;
  readonly userId: string;
  readonly device?: string | null;
  readonly network?: string | null;
}

const INSERT = sql(`
  insert into tokens
    (hash, id, user_id, name, first_characters, scopes, created_at, expires_at, device, network)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`);

/** Stores a token that has not been used yet. */
export async function insertToken(tx: Tx, token: NewToken): Promise<void> {
  const { hash, id, userId, name, first_characters, scopes, created_at, expires_at } = token;
  const { device = null, network = null } = token;
  const values = [hash, id, userId, name, first_characters, scopes, created_at, expires_at];
  await tx.run(INSERT, ...values, device, network);
  tx.count(TOKENS_COUNTER, hourNumber(expires_at), 1);
}

/** A token as authentication needs it, with the record of its user. */
export interface LiveToken extends Pick<TokenRow, 'scopes' | 'last_used_at' | 'expires_at'>, UserRow {
  readonly token_id: string;
}

/** With the `limit`, SQLite needs 5.5 µs for both rows; 30 µs as a plain join, 8 µs as two statements. */
const LIVE_BY_HASH = sql<LiveToken>(`
  select ${USER_COLUMNS}, token_id, scopes, last_used_at, expires_at
  from (select id as token_id, user_id, scopes, last_used_at, expires_at from tokens
        where hash = $1 and expires_at > $2 limit 1) as token
  join users on users.id = token.user_id`);

/** Returns undefined for unknown, revoked and, at `now`, expired tokens alike. */
export function findLiveToken(reader: Reader, hash: string, now: number): Promise<LiveToken | undefined> {
  return reader.get(LIVE_BY_HASH, hash, now);
}

const LIVE_OF_USER = sql<TokenRow>(`
  select id, name, first_characters, scopes, created_at, last_used_at, expires_at,
         device, network, last_used_network
  from tokens
  where user_id = $1 and expires_at > $2 order by id desc`);

/** Returns the valid tokens of a user, newest first. */
export function listLiveTokens(reader: Reader, userId: string, now: number): Promise<TokenRow[]> {
  return reader.all(LIVE_OF_USER, userId, now);
}

const COUNT_LIVE = sql<{ tokens: number }>(
  'select count(*) as tokens from tokens where user_id = $1 and expires_at > $2',
);

/** Counts the valid tokens of a user. */
export async function countLiveTokens(reader: Reader, userId: string, now: number): Promise<number> {
  return (await reader.get(COUNT_LIVE, userId, now))?.tokens ?? 0;
}

/** A token that a user wants to replace. */
export interface RotatableToken extends Pick<TokenRow, 'name' | 'scopes' | 'created_at' | 'expires_at'> {
  readonly hash: string;
  /** Epoch milliseconds; null unless the token has a successor. */
  readonly rotated_at: number | null;
}

const LIVE_BY_ID = sql<RotatableToken>(`
  select hash, name, scopes, created_at, expires_at, rotated_at from tokens
  where id = $1 and user_id = $2 and expires_at > $3`);

export interface OwnToken {
  readonly id: string;
  readonly userId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Returns a valid token of this user. */
export function findOwnToken(reader: Reader, token: OwnToken): Promise<RotatableToken | undefined> {
  return reader.get(LIVE_BY_ID, token.id, token.userId, token.now);
}

const RETIRE = sql(
  'update tokens set expires_at = $2, rotated_at = $3 where hash = $1 and rotated_at is null',
);

/** Lets a token with a successor expire at `expiresAt`. Returns false when it was revoked or rotated meanwhile. */
export async function retireToken(
  tx: Tx,
  token: RotatableToken,
  { expiresAt, now }: { readonly expiresAt: number; readonly now: number },
): Promise<boolean> {
  if ((await tx.run(RETIRE, token.hash, expiresAt, now)) !== 1) return false;
  tx.count(TOKENS_COUNTER, hourNumber(token.expires_at), -1);
  tx.count(TOKENS_COUNTER, hourNumber(expiresAt), 1);
  return true;
}

interface DeletedToken {
  readonly expires_at: number;
}

function countDeleted(tx: Tx, deleted: readonly DeletedToken[]): number {
  for (const { expires_at } of deleted) tx.count(TOKENS_COUNTER, hourNumber(expires_at), -1);
  return deleted.length;
}

const KEEP_NEWEST = sql<DeletedToken>(`
  delete from tokens where user_id = $1 and hash <> $2 and (expires_at <= $4 or hash not in (
    select hash from tokens where user_id = $1 and hash <> $2 and expires_at > $4 order by id desc limit $3))
  returning expires_at`);

export interface KeptTokens {
  readonly userId: string;
  /** Always kept: on a node whose clock is behind, the issued token may not be among the newest. */
  readonly issuedHash: string;
  readonly count: number;
  /** Epoch milliseconds. Expired tokens do not count, and are deleted. */
  readonly now: number;
}

/** Deletes all but `count` tokens of a user: the issued one and the newest of the others are kept. */
export async function keepNewestTokens(tx: Tx, kept: KeptTokens): Promise<number> {
  const { userId, issuedHash, count, now } = kept;
  return countDeleted(tx, await tx.all(KEEP_NEWEST, userId, issuedHash, count - 1, now));
}

const DELETE_ONE = sql<DeletedToken>(
  'delete from tokens where id = $1 and user_id = $2 returning expires_at',
);

/** Deletes a token; returns false when the user has no token with this id. */
export async function deleteToken(tx: Tx, id: string, userId: string): Promise<boolean> {
  return countDeleted(tx, await tx.all(DELETE_ONE, id, userId)) === 1;
}

const DELETE_ALL = sql<DeletedToken>('delete from tokens where user_id = $1 returning expires_at');

export async function deleteTokensOfUser(tx: Tx, userId: string): Promise<number> {
  return countDeleted(tx, await tx.all(DELETE_ALL, userId));
}

const DELETE_OTHERS = sql<DeletedToken>(
  'delete from tokens where user_id = $1 and hash <> $2 returning expires_at',
);

/** Deletes the tokens of a user but for one. */
export async function deleteOtherTokens(tx: Tx, userId: string, keptHash: string): Promise<number> {
  return countDeleted(tx, await tx.all(DELETE_OTHERS, userId, keptHash));
}

const DELETE_EXPIRED = sql<DeletedToken>(`
  delete from tokens where hash in (
    select hash from tokens where expires_at <= $1 order by expires_at limit $2)
  returning expires_at`);

export async function deleteExpiredTokens(tx: Tx, now: number, limit: number): Promise<number> {
  return countDeleted(tx, await tx.all(DELETE_EXPIRED, now, limit));
}

const FORGET_NETWORKS = sql(`
  update tokens set network = null where hash in (
    select hash from tokens where network is not null and created_at < $1 order by created_at limit $2)`);
const FORGET_LAST_NETWORKS = sql(`
  update tokens set last_used_network = null where hash in (
    select hash from tokens where last_used_network is not null and last_used_at < $1
    order by last_used_at limit $2)`);

/** Deletes networks of creations and last uses before `before`, at most `limit` of each; returns `limit` if there may be more. */
export async function forgetTokenNetworks(tx: Tx, before: number, limit: number): Promise<number> {
  const created = await tx.run(FORGET_NETWORKS, before, limit);
  return Math.max(created, await tx.run(FORGET_LAST_NETWORKS, before, limit));
}
