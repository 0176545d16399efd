/** Ends sessions of a user. */
import type { UserCaller } from '../../../callers/callers.ts';
import type { DatabaseDeps, Tx } from '../../../database/database.ts';
import { recordEvent } from '../../events/record-event.ts';
import { lockCaller } from './find-token-caller.ts';
import { countLiveTokens, deleteOtherTokens, deleteToken, deleteTokensOfUser } from './queries.ts';
import { recordRevocation } from './revoke-tokens.ts';
import { checkGranted } from './scopes.ts';

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
    if (scope === 'all') await deleteTokensOfUser(tx, caller.userId);
  });
}

/** Revokes all other tokens of the caller; returns how many of them were valid. */
export function revokeOtherTokens({ database, clock }: DatabaseDeps, caller: UserCaller): Promise<number> {
  return database.transaction((tx) => revokeOthers(tx, caller, clock()));
}

async function revokeOthers(tx: Tx, caller: UserCaller, now: number): Promise<number> {
  const { userId, tokenHash } = caller;
  await lockCaller(tx, caller, now);
  const revoked = (await countLiveTokens(tx, userId, now)) - 1;
  await deleteOtherTokens(tx, userId, tokenHash);
  if (revoked > 0) await recordRevocation(tx, userId, { tokens: revoked, now });
  return revoked;
}

async function revokeCurrent(tx: Tx, { userId, tokenId }: UserCaller, now: number): Promise<void> {
  // Nothing to record if another request has revoked it meanwhile.
  if ((await deleteToken(tx, tokenId, userId)) === 0) return;
  const details = { token_id: tokenId };
  await recordEvent(tx, { type: 'token.revoked', userId, reason: 'logout', details, now });
}
