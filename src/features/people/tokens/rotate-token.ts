/** Replaces a token by a new one with the same name, scopes and length of life. */
import type { UserCaller } from '../../../callers/callers.ts';
import type { Tx } from '../../../database/database.ts';
import { isId } from '../../../lib/secrets/ids.ts';
import type { Clock } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import { MAX_LIFETIME_SECONDS } from './create-token.ts';
import { lockCaller } from './find-token-caller.ts';
import { checkTokenCount, type IssuedToken, storeToken } from './issue-token.ts';
import { deleteToken, findOwnToken, type RotatableToken, retireToken } from './queries.ts';
import { checkGranted, readScopes } from './scopes.ts';

/**
 * A token has one successor at most, also if it stays valid for the overlap. Without one, it is revoked at once.
 * @throws Problem token_not_found, token_already_rotated, too_many_tokens, insufficient_scope (the token has scopes
 *   that the caller's lacks), unauthorized (the caller's token was revoked meanwhile)
 */
export async function rotateToken(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  { caller, id, overlapSeconds }: { caller: UserCaller; id: string; overlapSeconds: number },
): Promise<IssuedToken> {
  const { userId } = caller;
  const now = clock();
  await lockCaller(tx, caller, now);
  const token = isId(id) ? await findOwnToken(tx, { id, userId, now }) : undefined;
  if (token === undefined) throw new Problem('token_not_found');
  const { name, scopes, rotated_at, application_id: applicationId } = token;
  checkGranted(caller, readScopes(scopes));
  if (rotated_at !== null) throw new Problem('token_already_rotated');
  const group = { userId, applicationId, sessionId: token.session_id, familyId: token.family_id };
  if (overlapSeconds > 0) await checkTokenCount(tx, group, now);
  await replace(tx, token, { id, userId, now, overlapSeconds });
  // As it was granted, in whole seconds.
  const granted = Math.floor((token.expires_at - token.created_at) / 1000);
  const lifetimeSeconds = Math.min(granted, MAX_LIFETIME_SECONDS);
  const issued = await storeToken(tx, { ...group, name, scopes, now, lifetimeSeconds });
  await recordEvent(tx, {
    type: 'token.rotated',
    userId,
    details: { token_id: id, new_token_id: issued.record.id },
    now,
  });
  return issued;
}

/** Ends the life of the old token. @throws Problem token_not_found if it was revoked meanwhile */
async function replace(
  tx: Tx,
  token: RotatableToken,
  { id, userId, now, overlapSeconds }: { id: string; userId: string; now: number; overlapSeconds: number },
): Promise<void> {
  const expiresAt = Math.min(token.expires_at, now + overlapSeconds * 1000);
  const isReplaced =
    overlapSeconds > 0
      ? await retireToken(tx, token, { expiresAt, now })
      : (await deleteToken(tx, id, userId)) > 0;
  if (!isReplaced) throw new Problem('token_not_found');
}
