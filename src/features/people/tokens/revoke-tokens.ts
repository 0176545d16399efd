/** Revokes all tokens of a user on behalf of the administrator. */
import type { UserCaller } from '../../../callers/callers.ts';
import type { DatabaseDeps, Tx } from '../../../database/database.ts';
import { isId } from '../../../lib/secrets/ids.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import { lockUser } from '../../users/records/queries.ts';
import { changeAsAdministrator, protectRole } from '../../users/records/roles.ts';
import { requireUser } from '../../users/records/rules.ts';
import { getCallerRecord, lockCaller } from './find-token-caller.ts';
import * as queries from './queries.ts';
import { checkGranted } from './scopes.ts';

/** Ends all sessions. @throws Problem user_not_found; as `protectRole` */
export function revokeTokensOfUser({ database, clock }: DatabaseDeps, userId: string): Promise<void> {
  return database.transaction((tx) => applyRevocation(tx, userId, clock()));
}

/** Does the same in a transaction. Locks the user, as logins do. @throws as `revokeTokensOfUser` */
export async function applyRevocation(tx: Tx, userId: string, now: number): Promise<void> {
  await protectRole(tx, requireUser(await lockUser(tx, userId)));
  await recordEnds(tx, userId, { ...(await queries.deleteTokensOfUser(tx, userId)), now });
}

/** Ends all sessions of a person but this one, and revokes the tokens that do not come from it. */
export function endOtherSessions(
  { database, clock }: DatabaseDeps,
  { id, userId }: { readonly id: string; readonly userId: string },
): Promise<void> {
  return database.transaction(async (tx) => {
    await lockUser(tx, userId);
    await recordEnds(tx, userId, { ...(await queries.deleteTokensOfOthers(tx, userId, id)), now: clock() });
  });
}

/** Repeated requests leave one event of each type. */
async function recordEnds(
  tx: Tx,
  userId: string,
  { tokens, sessions, now }: { tokens: number; sessions: number; now: number },
): Promise<void> {
  if (tokens > 0) await recordRevocation(tx, userId, { tokens, now });
  const event = { type: 'session.ended', userId, reason: 'several', details: { sessions }, now } as const;
  if (sessions > 0) await recordEvent(tx, event);
}

async function recordRevocation(tx: Tx, userId: string, { tokens, now }: { tokens: number; now: number }) {
  await recordEvent(tx, { type: 'token.revoked', userId, reason: 'several', details: { tokens }, now });
}

/** Revokes a token of this user; that of another is unknown. @throws Problem token_not_found */
export async function revokeToken(deps: DatabaseDeps, id: string, userId: string): Promise<void> {
  if (!isId(id)) throw new Problem('token_not_found');
  await deps.database.transaction((tx) => deleteOne(tx, { id, userId, now: deps.clock() }));
}

/** Revokes a token of a user, who is locked. @throws Problem user_not_found, token_not_found; as `protectRole` */
export function revokeTokenOfUser(deps: DatabaseDeps, id: string, userId: string): Promise<void> {
  return changeAsAdministrator(deps.database, userId, async (tx) => {
    if (!isId(id)) throw new Problem('token_not_found');
    await deleteOne(tx, { id, userId, now: deps.clock() });
  });
}

async function deleteOne(tx: Tx, { id, userId, now }: queries.OwnToken): Promise<void> {
  if (!(await queries.deleteToken(tx, id, userId))) throw new Problem('token_not_found');
  await recordEvent(tx, { type: 'token.revoked', userId, details: { token_id: id }, now });
}

/** current: the session of the request. others: all but that. all: both. */
export const LOGOUT_SCOPES = ['current', 'others', 'all'] as const;
export type LogoutScope = (typeof LOGOUT_SCOPES)[number];

/**
 * A limited token can end its own session only. @throws Problem insufficient_scope; unauthorized if other tokens are to
 * be revoked, and that of the request was revoked meanwhile
 */
export async function logOut(deps: DatabaseDeps, caller: UserCaller, scope: LogoutScope): Promise<void> {
  if (scope !== 'current') checkGranted(caller, ['tokens:manage']);
  await deps.database.transaction(async (tx) => {
    const now = deps.clock();
    if (scope !== 'current') await revokeOthers(tx, caller, now);
    if (scope !== 'others') await revokeCurrent(tx, caller, now);
    // The sign-in session that the current token comes from.
    if (scope === 'all') await queries.deleteTokensOfUser(tx, caller.userId);
  });
}

/** Revokes all other tokens of the caller; returns how many of them were valid. */
export function revokeOtherTokens({ database, clock }: DatabaseDeps, caller: UserCaller): Promise<number> {
  return database.transaction((tx) => revokeOthers(tx, caller, clock()));
}

async function revokeOthers(tx: Tx, caller: UserCaller, now: number): Promise<number> {
  const { userId, tokenHash } = caller;
  await lockCaller(tx, caller, now);
  const revoked = (await queries.countLiveTokens(tx, userId, now)) - 1;
  await queries.deleteOtherTokens(tx, userId, tokenHash);
  if (revoked > 0) await recordRevocation(tx, userId, { tokens: revoked, now });
  return revoked;
}

/** A program that stays signed in does not any more. */
async function revokeCurrent(tx: Tx, caller: UserCaller, now: number): Promise<void> {
  const { userId } = caller;
  const tokenId = getCallerRecord(caller).family_id ?? caller.tokenId;
  // Nothing to record if another request has revoked it meanwhile.
  if ((await queries.deleteToken(tx, tokenId, userId)) === 0) return;
  const details = { token_id: tokenId };
  await recordEvent(tx, { type: 'token.revoked', userId, reason: 'logout', details, now });
}
