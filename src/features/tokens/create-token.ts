/** Creates a token for a program or a device, with a name, and no more scopes than the caller's token. */
import type { UserCaller } from '../../callers/callers.ts';
import type { Tx } from '../../database/database.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { Problem } from '../../problems/problem.ts';
import type { CurrentSettingsSource } from '../../settings/run-time-settings.ts';
import { recordEvent } from '../events/record-event.ts';
import { lockCaller } from './find-token-caller.ts';
import { type IssuedToken, MAX_TOKENS_PER_USER, storeToken } from './issue-token.ts';
import { countLiveTokens } from './queries.ts';
import { checkGranted, toStoredScopes } from './scopes.ts';

/** 365 days. */
export const MAX_LIFETIME_SECONDS = 365 * 86_400;

export interface CreateTokenDeps {
  readonly clock: Clock;
  /** Has the lifetime of tokens that do not set their own. */
  readonly settings: CurrentSettingsSource;
}

/** @throws Problem insufficient_scope, too_many_tokens, unauthorized (the caller's token was revoked meanwhile) */
export async function createToken(
  deps: CreateTokenDeps,
  tx: Tx,
  request: {
    readonly caller: UserCaller;
    readonly name: string;
    /** Default: those of the caller's token. */
    readonly scopes?: readonly string[] | undefined;
    readonly lifetimeSeconds?: number | undefined;
  },
): Promise<IssuedToken> {
  const { caller, name, scopes = caller.scopes } = request;
  const { tokenLifetimeSeconds } = deps.settings.current;
  const { lifetimeSeconds = Math.min(tokenLifetimeSeconds, MAX_LIFETIME_SECONDS) } = request;
  checkGranted(caller, scopes);
  const { userId } = caller;
  const now = deps.clock();
  await lockCaller(tx, caller, now);
  await checkTokenCount(tx, userId, now);
  const grant = { userId, name, scopes: toStoredScopes(scopes), now, lifetimeSeconds };
  const issued = await storeToken(tx, grant);
  await recordEvent(tx, { type: 'token.created', userId, details: { token_id: issued.record.id }, now });
  return issued;
}

/** Rejects a token beyond the maximum; no other is revoked. @throws Problem too_many_tokens */
export async function checkTokenCount(tx: Tx, userId: string, now: number): Promise<void> {
  if ((await countLiveTokens(tx, userId, now)) >= MAX_TOKENS_PER_USER) throw new Problem('too_many_tokens');
}
