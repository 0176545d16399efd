/** Exchanges an authorization code for a token (RFC 6749 section 4.1.3, RFC 7636). */
import { hash } from 'node:crypto';
import type { Tx } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { hashToken } from '../../lib/secrets/tokens.ts';
import type { ApplicationRow } from '../applications/application.ts';
import { isAllowed } from '../applications/queries.ts';
import { recordEvent } from '../events/record-event.ts';
import { deleteToken } from '../people/tokens/queries.ts';
import { lockUser } from '../users/records/queries.ts';
import { type GrantDeps, type IssuedGrant, issueGrant } from './issue-grant.ts';
import { findCode, NO_CHALLENGE, useCode } from './queries.ts';

/** Returns null for a code that is not accepted. One that was used revokes its token (RFC 9700 section 2.1.1). */
export async function exchangeCode(
  deps: GrantDeps,
  application: ApplicationRow,
  presented: { readonly code: string; readonly redirectUri: string; readonly verifier: string | undefined },
): Promise<IssuedGrant | null> {
  const { database, clock } = deps;
  const key = { hash: hashToken(presented.code), application_id: application.id };
  // A verifier is accepted for a code with its challenge only, and none for a code without one (RFC 9700 section 4.8.2).
  const { verifier } = presented;
  const challenge = verifier === undefined ? NO_CHALLENGE : hash('sha256', verifier, 'base64url');
  return database.transaction(async (tx) => {
    const found = await findCode(tx, key);
    if (found === undefined) return null;
    // Serialised with disabling the user and another use of the code.
    const user = await lockUser(tx, found.user_id);
    if (user?.state !== 'active' || !(await isAllowed(tx, application, user.id))) return null;
    const use = { now: clock(), tokenId: newId() };
    const code = await useCode(tx, { ...key, ...use, redirect_uri: presented.redirectUri, challenge });
    if (code === undefined) {
      // Read again: another use, or the end of the session, may have come before this one.
      await revokeReused(tx, await findCode(tx, key), use.now);
      return null;
    }
    return issueGrant(deps, tx, { application, user, grant: code, ...use });
  });
}

/** Revokes the token of a code that is used once more. */
export async function revokeReused(
  tx: Tx,
  { user_id: userId = null, token_id = null }: Partial<Record<'user_id' | 'token_id', string | null>> = {},
  now: number,
): Promise<void> {
  if (userId === null || token_id === null || (await deleteToken(tx, token_id, userId)) === 0) return;
  const event = { type: 'token.revoked', userId, reason: 'code_reused', details: { token_id } } as const;
  await recordEvent(tx, { ...event, now });
}
