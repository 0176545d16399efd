/** Exchanges an authorization code for a token (RFC 6749 section 4.1.3, RFC 7636). */
import { hash } from 'node:crypto';
import type { DatabaseDeps, Tx } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { hashToken } from '../../lib/secrets/tokens.ts';
import type { CurrentSettingsSource } from '../../settings/run-time-settings.ts';
import type { ApplicationRow } from '../applications/application.ts';
import { recordEvent } from '../events/record-event.ts';
import { MAX_LIFETIME_SECONDS } from '../people/tokens/create-token.ts';
import { type IssuedToken, issueToken } from '../people/tokens/issue-token.ts';
import { deleteToken } from '../people/tokens/queries.ts';
import { lockUser, type UserRow } from '../users/records/queries.ts';
import { type CodeRow, findCode, NO_CHALLENGE, useCode } from './queries.ts';

export interface ExchangeDeps extends DatabaseDeps {
  readonly settings: CurrentSettingsSource;
}

/** What a person has granted to an application: with a code, or to a device. */
interface Grant extends Pick<CodeRow, 'user_id' | 'scopes' | 'nonce' | 'amr' | 'authenticated_at'> {
  /** The sign-in session, with which the token ends; null: it does not end with one. */
  readonly session_id: string | null;
}

/** The token of a grant, and what its ID token says. */
export interface ExchangedCode {
  readonly application: ApplicationRow;
  readonly user: UserRow;
  readonly code: Grant;
  readonly issued: IssuedToken;
}

/** Returns null for a code that is not accepted. One that was used revokes its token (RFC 9700 section 2.1.1). */
export async function exchangeCode(
  deps: ExchangeDeps,
  application: ApplicationRow,
  presented: { readonly code: string; readonly redirectUri: string; readonly verifier: string | undefined },
): Promise<ExchangedCode | null> {
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
    if (user?.state !== 'active') return null;
    const use = { now: clock(), tokenId: newId() };
    const code = await useCode(tx, { ...key, ...use, redirect_uri: presented.redirectUri, challenge });
    if (code === undefined) {
      // Read again: another use, or the end of the session, may have come before this one.
      await revokeReused(tx, await findCode(tx, key), use.now);
      return null;
    }
    return { application, user, code, issued: await issueGranted(deps, tx, { application, code, ...use }) };
  });
}

/** Issues the token of a grant, which was used in the same transaction. */
export async function issueGranted(
  { settings }: Pick<ExchangeDeps, 'settings'>,
  tx: Tx,
  grant: Pick<ExchangedCode, 'application' | 'code'> & { readonly now: number; readonly tokenId: string },
): Promise<IssuedToken> {
  const { application, code, now, tokenId: id } = grant;
  const { user_id: userId, session_id: sessionId, scopes } = code;
  const days = application.token_lifetime_days;
  const ofLogin = Math.min(settings.current.tokenLifetimeSeconds, MAX_LIFETIME_SECONDS);
  const lifetimeSeconds = days === null ? ofLogin : days * 86_400;
  const { id: applicationId, name } = application;
  const issued = await issueToken(tx, {
    ...{ id, userId, name, applicationId, sessionId, scopes, lifetimeSeconds, now },
  });
  const details = { token_id: id, application_id: applicationId };
  await recordEvent(tx, { type: 'token.created', userId, actor: 'user', details, now });
  return issued;
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
