/** Creates a token for a program or a device, with a name, and no more scopes than the caller's token. */
import type { UserCaller } from '../../../callers/callers.ts';
import type { Tx } from '../../../database/database.ts';
import type { Clock } from '../../../lib/time.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import { recordEvent } from '../../events/record-event.ts';
import { lockCaller } from './find-token-caller.ts';
import { checkTokenCount, type IssuedToken, replaceOldest, storeToken } from './issue-token.ts';
import { checkGranted, toStoredScopes } from './scopes.ts';

export const MAX_LIFETIME_SECONDS = 365 * 86_400;

export interface CreateTokenDeps {
  readonly clock: Clock;
  /** Has the lifetime of tokens that do not set their own. */
  readonly settings: CurrentSettingsSource;
}

/**
 * A token that an application creates is one more of this application and its sign-in session or refresh token, and
 * ends with them.
 * @throws Problem insufficient_scope, too_many_tokens, unauthorized (the caller's token was revoked meanwhile)
 */
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
  const { application_id: applicationId, ...origin } = await lockCaller(tx, caller, now);
  const group = { userId, applicationId, sessionId: origin.session_id, familyId: origin.family_id };
  if (applicationId === null) await checkTokenCount(tx, group, now);
  const grant = { ...group, name, scopes: toStoredScopes(scopes), now, lifetimeSeconds };
  const issued = await storeToken(tx, grant);
  if (applicationId !== null) await replaceOldest(tx, grant, issued.tokenHash);
  await recordEvent(tx, { type: 'token.created', userId, details: { token_id: issued.record.id }, now });
  return issued;
}
