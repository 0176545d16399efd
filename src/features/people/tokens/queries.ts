import { deleteEmptyPeriods } from '../../../database/counters.ts';
import type { Tx } from '../../../database/database.ts';
import {
  prepareAll,
  prepareChange,
  prepareGet,
  prepareRun,
  prepareValue,
  type StatementValues,
  type ValueArguments,
} from '../../../database/prepare.ts';
import { HOUR, toHourNumber } from '../../../lib/time.ts';
import { USER_COLUMNS, type UserRow } from '../../users/records/queries.ts';

/** Time without a request after which a sign-in session ends. */
export const SESSION_IDLE_MS = 12 * HOUR;

/**
 * The condition in SQL that a user is a member of a group whose id is in a JSON array. Deleted groups may have members
 * left. With 50 ids, SQLite needs 11 µs for each group of the user, and twice that with `like`.
 */
export const isInGroups = (userId: string, groupIds: string) => `exists (
  select 1 from group_members join groups on groups.id = group_members.group_id
  where group_members.user_id = ${userId} and replace(${groupIds}, group_members.group_id, '') <> ${groupIds})`;

/** Whether the application of a row of `tokens` is still there, and for its user. */
const IS_ALLOWED = `exists (select 1 from applications where applications.id = tokens.application_id
  and (applications.allowed_groups is null or ${isInGroups('tokens.user_id', 'applications.allowed_groups')}))`;

/**
 * The time in SQL until which a row of `tokens` is valid: its own expiry, and for a token of an application at the latest
 * the end of the sign-in session that it comes from. 0 once the session or the application was deleted, or the user has
 * left the groups to which the application is limited.
 */
export const TOKEN_END = `case when tokens.session_id is null then tokens.expires_at else coalesce((
    select case
      when tokens.expires_at < session.expires_at and tokens.expires_at < session.last_used_at + ${SESSION_IDLE_MS}
        then tokens.expires_at
      when session.expires_at < session.last_used_at + ${SESSION_IDLE_MS} then session.expires_at
      else session.last_used_at + ${SESSION_IDLE_MS} end
    from sign_in_sessions as session
    where session.id = tokens.session_id and (tokens.application_id is null or ${IS_ALLOWED})), 0) end`;

/** Counter of stored tokens by the hour in which they expire. */
export const TOKENS_COUNTER = 'tokens';

/** Old enough that no token of these hours can be issued meanwhile, whatever the clock of another node. */
const COUNTERS_KEPT_HOURS = 48;

/** Deletes counters of past hours in which no stored token expires. Returns the number of rows. */
export function deleteTokenCounters(tx: Tx, now: number, limit: number): Promise<number> {
  return deleteEmptyPeriods(tx, TOKENS_COUNTER, { before: toHourNumber(now) - COUNTERS_KEPT_HOURS, limit });
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

interface NewToken extends UnusedToken {
  readonly hash: string;
  readonly userId: string;
  readonly device?: string | null;
  readonly network?: string | null;
  /** The application that it was issued to, and the sign-in session that it ends with; null for other tokens. */
  readonly applicationId?: string | null;
  readonly sessionId?: string | null;
}

const insert = prepareRun<NewToken>(`
  insert into tokens
    (hash, id, user_id, name, first_characters, scopes, created_at, expires_at, device, network, application_id,
     session_id)
  values ($hash, $id, $userId, $name, $first_characters, $scopes, $created_at, $expires_at, $device, $network,
    $applicationId, $sessionId)`);

/** Stores a token that has not been used yet. */
export async function insertToken(tx: Tx, token: NewToken): Promise<void> {
  await insert(tx, { device: null, network: null, applicationId: null, sessionId: null, ...token });
  tx.count(TOKENS_COUNTER, toHourNumber(token.expires_at), 1);
}

/** A token as authentication needs it, with the record of its user. */
export interface LiveToken extends Pick<TokenRow, 'scopes' | 'last_used_at' | 'expires_at'>, UserRow {
  readonly token_id: string;
  readonly application_id: string | null;
  readonly session_id: string | null;
}

/**
 * Returns undefined for unknown, revoked and, at `now`, ended tokens alike. With the `limit`, SQLite needs 5.5 µs
 * for both rows; 30 µs as a plain join, 8 µs as two statements.
 */
export const findLiveToken = prepareGet<LiveToken, [hash: string, now: number]>(`
  select ${USER_COLUMNS}, token_id, scopes, last_used_at, expires_at, application_id, session_id
  from (select id as token_id, user_id, scopes, last_used_at, ${TOKEN_END} as expires_at, application_id, session_id
        from tokens where hash = $1 limit 1) as token
  join users on users.id = token.user_id where token.expires_at > $2`);

type TokenOfApplication = TokenRow & { readonly application_id: string | null };

/** Returns the valid tokens of a user, newest first. */
export const listLiveTokens = prepareAll<TokenOfApplication, [userId: string, now: number]>(`
  select id, name, first_characters, scopes, created_at, last_used_at, expires_at,
         device, network, last_used_network, application_id
  from tokens
  where user_id = $1 and ${TOKEN_END} > $2 order by id desc`);

/** Counts the valid tokens of a user. */
export const countLiveTokens = prepareValue<number, [userId: string, now: number]>(
  `select count(*) as tokens from tokens where user_id = $1 and ${TOKEN_END} > $2`,
);

const SAME_ORIGIN = `user_id = $userId and application_id is not distinct from $applicationId
    and session_id is not distinct from $sessionId`;

/** Tokens of a user that have a maximum of their own: those of an application and a session, or those of neither. */
export type TokenGroup = Required<Pick<NewToken, 'userId' | 'applicationId' | 'sessionId'>>;

/** Counts the tokens of a group that have not expired. */
export const countTokensOfGroup = prepareValue<number, TokenGroup & { readonly now: number }>(
  `select count(*) as tokens from tokens where ${SAME_ORIGIN} and expires_at > $now`,
);

/** Returns the audiences of an application as a JSON array. */
export const findAudiences = prepareGet<{ jwt_audiences: string }, [applicationId: string]>(
  'select jwt_audiences from applications where id = $1',
);

/** A token that a user wants to replace. */
export interface RotatableToken extends Pick<TokenRow, 'name' | 'scopes' | 'created_at' | 'expires_at'> {
  readonly hash: string;
  readonly application_id: string | null;
  readonly session_id: string | null;
  /** Epoch milliseconds; null unless the token has a successor. */
  readonly rotated_at: number | null;
}

export interface OwnToken {
  readonly id: string;
  readonly userId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Returns a valid token of this user. */
export const findOwnToken = prepareGet<RotatableToken, OwnToken>(`
  select hash, name, scopes, created_at, expires_at, rotated_at, application_id, session_id from tokens
  where id = $id and user_id = $userId and ${TOKEN_END} > $now`);

const retire = prepareChange<{ hash: string; expiresAt: number; now: number }>(
  'update tokens set expires_at = $expiresAt, rotated_at = $now where hash = $hash and rotated_at is null',
);

/** Lets a token with a successor expire at `expiresAt`. Returns false when it was revoked or rotated meanwhile. */
export async function retireToken(
  tx: Tx,
  token: RotatableToken,
  { expiresAt, now }: { readonly expiresAt: number; readonly now: number },
): Promise<boolean> {
  if (!(await retire(tx, { hash: token.hash, expiresAt, now }))) return false;
  tx.count(TOKENS_COUNTER, toHourNumber(token.expires_at), -1);
  tx.count(TOKENS_COUNTER, toHourNumber(expiresAt), 1);
  return true;
}

/** Returns the function that deletes tokens, and returns their number. */
function prepareDelete<V extends StatementValues>(condition: string) {
  const deleteRows = prepareAll<{ readonly expires_at: number }, V, Tx>(
    `delete from tokens where ${condition} returning expires_at`,
  );
  return async (tx: Tx, ...values: ValueArguments<V>): Promise<number> => {
    const deleted = await deleteRows(tx, ...values);
    for (const { expires_at } of deleted) tx.count(TOKENS_COUNTER, toHourNumber(expires_at), -1);
    return deleted.length;
  };
}

/**
 * Deletes expired tokens of a group and all valid ones but `others` and the issued one: the newest are kept, of which
 * the issued one may be none on a node whose clock is behind.
 */
export const keepNewestTokens = prepareDelete<
  TokenGroup & { readonly issuedHash: string; readonly others: number; readonly now: number }
>(`${SAME_ORIGIN} and hash <> $issuedHash and (expires_at <= $now or hash not in (
    select hash from tokens where ${SAME_ORIGIN} and hash <> $issuedHash and expires_at > $now
    order by id desc limit $others))`);

export const deleteToken = prepareDelete<[id: string, userId: string]>('id = $1 and user_id = $2');

/** Deletes the tokens that come from a sign-in session. */
export const deleteTokensOfSession = prepareDelete<[sessionId: string]>('session_id = $1');

/** Deletes tokens that come from sign-in sessions without a use since then. */
export const deleteTokensOfIdleSessions = prepareDelete<[usedBefore: number, limit: number]>(`hash in (
    select tokens.hash from sign_in_sessions cross join tokens
    where sign_in_sessions.last_used_at <= $1 and tokens.session_id = sign_in_sessions.id limit $2)`);

/** Deletes a token of a user if the application has it. */
export const deleteTokenOfApplication = prepareDelete<[hash: string, applicationId: string]>(
  'hash = $1 and application_id = $2',
);

export const deleteTokensOfApplication = prepareDelete<[applicationId: string, limit: number]>(
  'hash in (select hash from tokens where application_id = $1 limit $2)',
);

/**
 * Deletes the tokens of a user that applications have which are not for them any more. With `is not null`, the engines
 * would use the index of applications.
 */
export const deleteForbiddenTokens = prepareDelete<[userId: string]>(
  `user_id = $1 and coalesce(application_id, '') <> '' and not ${IS_ALLOWED}`,
);

/** Deletes tokens of an application which is not for their users any more. */
export const deleteForbiddenOfApplication = prepareDelete<[applicationId: string, limit: number]>(
  `hash in (select hash from tokens where application_id = $1 and not ${IS_ALLOWED} limit $2)`,
);

const deleteTokens = prepareDelete<[userId: string]>('user_id = $1');
const deleteSessions = prepareRun<[userId: string]>('delete from sign_in_sessions where user_id = $1');
const deleteChallenges = prepareRun<[userId: string]>('delete from sign_in_challenges where user_id = $1');

/** Deletes the tokens of a user, their sign-in sessions and sign-ins that wait for a code. Returns the numbers of the former. */
export async function deleteTokensOfUser(tx: Tx, userId: string) {
  const sessions = await deleteSessions(tx, userId);
  await deleteChallenges(tx, userId);
  return { sessions, tokens: await deleteTokens(tx, userId) };
}

const deleteOthers = prepareDelete<[userId: string, keptHash: string]>('user_id = $1 and hash <> $2');
const deleteOtherSessions = prepareRun<[userId: string, keptHash: string]>(`
  delete from sign_in_sessions where user_id = $1
    and id is distinct from (select session_id from tokens where hash = $2)`);

/** Does the same but for one token, and the sign-in session that it comes from. */
export async function deleteOtherTokens(tx: Tx, userId: string, keptHash: string): Promise<number> {
  await deleteOtherSessions(tx, userId, keptHash);
  await deleteChallenges(tx, userId);
  return deleteOthers(tx, userId, keptHash);
}

const deleteTokensBeside = prepareDelete<[userId: string, sessionId: string]>(
  'user_id = $1 and session_id is distinct from $2',
);
const deleteSessionsBeside = prepareRun<[userId: string, sessionId: string]>(
  'delete from sign_in_sessions where user_id = $1 and id <> $2',
);

/** Does the same but for one sign-in session and the tokens that come from it. Returns the numbers of the former. */
export async function deleteTokensOfOthers(tx: Tx, userId: string, sessionId: string) {
  const tokens = await deleteTokensBeside(tx, userId, sessionId);
  await deleteChallenges(tx, userId);
  return { tokens, sessions: await deleteSessionsBeside(tx, userId, sessionId) };
}

export const deleteExpiredTokens = prepareDelete<[now: number, limit: number]>(
  'hash in (select hash from tokens where expires_at <= $1 order by expires_at limit $2)',
);

const forgetNetworks = prepareRun<[before: number, limit: number]>(`
  update tokens set network = null where hash in (
    select hash from tokens where network is not null and created_at < $1 order by created_at limit $2)`);
const forgetLastNetworks = prepareRun<[before: number, limit: number]>(`
  update tokens set last_used_network = null where hash in (
    select hash from tokens where last_used_network is not null and last_used_at < $1
    order by last_used_at limit $2)`);

/** Deletes networks of creations and last uses before `before`, at most `limit` of each; returns `limit` if there may be more. */
export async function deleteTokenNetworks(tx: Tx, before: number, limit: number): Promise<number> {
  const created = await forgetNetworks(tx, before, limit);
  return Math.max(created, await forgetLastNetworks(tx, before, limit));
}
