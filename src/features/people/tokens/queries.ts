import { deleteEmptyPeriods } from '../../../database/counters.ts';
import type { Reader, Tx } from '../../../database/database.ts';
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

/** Whether the application of a row of `tokens` is still there, and for its user, and may have refresh tokens if this is of one. */
const IS_ALLOWED = `exists (select 1 from applications where applications.id = tokens.application_id
  and (tokens.family_id is null or applications.refresh = 1)
  and (applications.allowed_groups is null or ${isInGroups('tokens.user_id', 'applications.allowed_groups')}))`;

/**
 * The time in SQL until which a row of `tokens` is valid: its own expiry, and at the latest the end of the refresh token, or
 * of the sign-in session, with which it ends. 0 once one of these, or the application of the token, was deleted, the
 * application has lost `refresh`, or the user has left the groups to which it is limited.
 */
export const TOKEN_END = `case
  when tokens.application_id is not null and not ${IS_ALLOWED} then 0
  when tokens.family_id is not null then coalesce((
    select case when tokens.expires_at < family.expires_at then tokens.expires_at else family.expires_at end
    from refresh_tokens as family where family.family_id = tokens.family_id), 0)
  when tokens.session_id is null then tokens.expires_at
  else coalesce((
    select case
      when tokens.expires_at < session.expires_at and tokens.expires_at < session.last_used_at + ${SESSION_IDLE_MS}
        then tokens.expires_at
      when session.expires_at < session.last_used_at + ${SESSION_IDLE_MS} then session.expires_at
      else session.last_used_at + ${SESSION_IDLE_MS} end
    from sign_in_sessions as session
    where session.id = tokens.session_id), 0) end`;

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
  /** The id of the refresh token that it comes from; its own id if it is one. */
  readonly familyId?: string | null;
}

const insert = prepareRun<NewToken>(`
  insert into tokens
    (hash, id, user_id, name, first_characters, scopes, created_at, expires_at, device, network, application_id,
     session_id, family_id)
  values ($hash, $id, $userId, $name, $first_characters, $scopes, $created_at, $expires_at, $device, $network,
    $applicationId, $sessionId, $familyId)`);

/** Stores a token that has not been used yet. */
export async function insertToken(tx: Tx, token: NewToken): Promise<void> {
  const none = { device: null, network: null, applicationId: null, sessionId: null, familyId: null };
  await insert(tx, { ...none, ...token });
  tx.count(TOKENS_COUNTER, toHourNumber(token.expires_at), 1);
}

/** A token as authentication needs it, with the record of its user. */
export interface LiveToken extends Pick<TokenRow, 'scopes' | 'last_used_at' | 'expires_at'>, UserRow {
  readonly token_id: string;
  readonly application_id: string | null;
  readonly session_id: string | null;
  readonly family_id: string | null;
}

/**
 * Returns undefined for unknown, revoked and, at `now`, ended tokens alike. With the `limit`, SQLite needs 5.5 µs
 * for both rows; 30 µs as a plain join, 8 µs as two statements.
 */
export const findLiveToken = prepareGet<LiveToken, [hash: string, now: number]>(`
  select ${USER_COLUMNS}, token_id, scopes, last_used_at, expires_at, application_id, session_id, family_id
  from (select id as token_id, user_id, scopes, last_used_at, ${TOKEN_END} as expires_at, application_id, session_id, family_id
        from tokens where hash = $1 limit 1) as token
  join users on users.id = token.user_id where token.expires_at > $2`);

type TokenOfApplication = TokenRow & { readonly application_id: string | null };

const TOKEN_COLUMNS = `id, name, first_characters, scopes, created_at, last_used_at, expires_at, device, network,
    last_used_network, application_id`;

/** Valid at `$2`. A refresh token is one device with its access tokens. */
const IS_LIVE_DEVICE = `(family_id is null or family_id = id) and ${TOKEN_END} > $2`;

/** Returns the valid tokens of a user without the access tokens of refresh tokens, newest first. */
export const listLiveTokens = prepareAll<TokenOfApplication, [userId: string, now: number]>(
  `select ${TOKEN_COLUMNS} from tokens where user_id = $1 and ${IS_LIVE_DEVICE} order by id desc`,
);

/** Counts them. */
export const countLiveTokens = prepareValue<number, [userId: string, now: number]>(
  `select count(*) as tokens from tokens where user_id = $1 and ${IS_LIVE_DEVICE}`,
);

/** Returns a valid token of any kind. */
export const findLiveTokenById = prepareGet<TokenOfApplication, [id: string, now: number]>(
  `select ${TOKEN_COLUMNS} from tokens where id = $1 and ${TOKEN_END} > $2`,
);

const SAME_ORIGIN = `user_id = $userId and application_id is not distinct from $applicationId
    and session_id is not distinct from $sessionId and family_id is not distinct from $familyId
    and family_id is distinct from id`;

/**
 * Tokens of a user that have a maximum of their own: those of an application and a session, of a refresh token, or of
 * neither.
 */
export type TokenGroup = Required<Pick<NewToken, 'userId' | 'applicationId' | 'sessionId' | 'familyId'>>;

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
  readonly family_id: string | null;
  /** Epoch milliseconds; null unless the token has a successor. */
  readonly rotated_at: number | null;
}

export interface OwnToken {
  readonly id: string;
  readonly userId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Returns a valid token of this user; undefined for a refresh token, which its application alone can replace. */
export const findOwnToken = prepareGet<RotatableToken, OwnToken>(`
  select hash, name, scopes, created_at, expires_at, rotated_at, application_id, session_id, family_id from tokens
  where id = $id and user_id = $userId and family_id is distinct from id and ${TOKEN_END} > $now`);

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
  countExpiry(tx, token.expires_at, expiresAt);
  return true;
}

function countExpiry(tx: Tx, before: number, after: number): void {
  tx.count(TOKENS_COUNTER, toHourNumber(before), -1);
  tx.count(TOKENS_COUNTER, toHourNumber(after), 1);
}

const extend = prepareRun<{ id: string; expiresAt: number; now: number; network: string | null }>(`
  update tokens set expires_at = $expiresAt, last_used_at = $now, last_used_network = $network where id = $id`);

/** Records the use of a refresh token, which changes its expiry. */
export async function extendToken(
  tx: Tx,
  token: Pick<TokenRow, 'id' | 'expires_at'>,
  use: { readonly expiresAt: number; readonly now: number; readonly network: string | null },
): Promise<void> {
  await extend(tx, { id: token.id, ...use });
  countExpiry(tx, token.expires_at, use.expiresAt);
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

/** Deletes a token, and a refresh token with its access tokens. Returns the number of rows. */
export const deleteToken = prepareDelete<[id: string, userId: string]>(
  'user_id = $2 and (id = $1 or family_id = $1)',
);

/** Deletes the tokens that end with a sign-in session: refresh tokens only of applications that say so. */
export const deleteTokensOfSession = prepareDelete<{ sessionId: string; userId: string }>(`
  user_id = $userId and (session_id = $sessionId or family_id in (
    select family.id from refresh_tokens cross join tokens as family cross join applications
    where refresh_tokens.session_id = $sessionId and family.id = refresh_tokens.family_id
      and applications.id = family.application_id and applications.refresh_ends_with_session = 1))`);

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

/** Deletes the refresh tokens of a user for an application but the newest, at most 100. */
export const keepNewestFamilies = prepareDelete<{ userId: string; applicationId: string; count: number }>(`
  user_id = $userId and family_id in (
    select id from tokens where user_id = $userId and application_id = $applicationId and family_id = id
    order by id desc limit 100 offset $count)`);

const listApplications = prepareAll<{ application_id: string }, [userId: string]>(`
  select application_id from tokens where user_id = $1 and coalesce(application_id, '') <> ''`);

/** Returns the ids of the applications that have tokens of the user. */
export const listApplicationsOfTokens = async (reader: Reader, userId: string): Promise<Set<string>> =>
  new Set((await listApplications(reader, userId)).map(({ application_id }) => application_id));

/** Deletes tokens of an application which is not for their users any more, or may not have refresh tokens. */
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

const deleteOthers = prepareDelete<[userId: string, keptHash: string]>(`user_id = $1 and hash <> $2
    and (family_id is null or family_id is distinct from (select family_id from tokens where hash = $2))`);
const deleteOtherSessions = prepareRun<[userId: string, keptHash: string]>(`
  delete from sign_in_sessions where user_id = $1
    and id is distinct from (select session_id from tokens where hash = $2)`);

/** Does the same but for one token, and the refresh token or sign-in session that it comes from. */
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
