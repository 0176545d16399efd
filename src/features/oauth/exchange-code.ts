/** Exchanges an authorization code for a token (RFC 6749 section 4.1.3, RFC 7636). */
import { hash } from 'node:crypto';
import type { DatabaseDeps, Tx } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { hashToken } from '../../lib/secrets/tokens.ts';
import type { CurrentSettingsSource } from '../../settings/run-time-settings.ts';
import type { ApplicationRow } from '../applications/application.ts';
import { isAllowed } from '../applications/queries.ts';
import { recordEvent } from '../events/record-event.ts';
import { MAX_LIFETIME_SECONDS } from '../people/tokens/create-token.ts';
import { issueToken } from '../people/tokens/issue-token.ts';
import { deleteToken } from '../people/tokens/queries.ts';
import { lockUser } from '../users/records/queries.ts';
import { findCode, NO_CHALLENGE, useCode } from './queries.ts';

export interface ExchangeDeps extends DatabaseDeps {
  readonly settings: CurrentSettingsSource;
}

export type ExchangedCode = NonNullable<Awaited<ReturnType<typeof exchangeCode>>>;

/** Returns null for a code that is not accepted. One that was used revokes its token (RFC 9700 section 2.1.1). */
export async function exchangeCode(
  { database, clock, settings }: ExchangeDeps,
  application: ApplicationRow,
  presented: { readonly code: string; readonly redirectUri: string; readonly verifier: string | undefined },
) {
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
      await revokeToken(tx, key, use.now);
      return null;
    }
    const days = application.token_lifetime_days;
    const ofLogin = Math.min(settings.current.tokenLifetimeSeconds, MAX_LIFETIME_SECONDS);
    const lifetimeSeconds = days === null ? ofLogin : days * 86_400;
    return {
      application,
      user,
      code,
      issued: await issue(tx, { application, code, lifetimeSeconds, ...use }),
    };
  });
}

async function issue(
  tx: Tx,
  grant: {
    application: ApplicationRow;
    code: NonNullable<Awaited<ReturnType<typeof useCode>>>;
    lifetimeSeconds: number;
    now: number;
    tokenId: string;
  },
) {
  const { application, code, lifetimeSeconds, now, tokenId: id } = grant;
  const { user_id: userId, session_id: sessionId, scopes } = code;
  const { id: applicationId, name } = application;
  const issued = await issueToken(tx, {
    ...{ id, userId, name, applicationId, sessionId, scopes, lifetimeSeconds, now },
  });
  const details = { token_id: id, application_id: applicationId };
  await recordEvent(tx, { type: 'token.created', userId, actor: 'user', details, now });
  return issued;
}

async function revokeToken(tx: Tx, key: Parameters<typeof findCode>[1], now: number): Promise<void> {
  // Read again: another use, or the end of the session, may have come before this one.
  const { user_id: userId, token_id } = (await findCode(tx, key)) ?? {};
  if (userId === undefined || !token_id || (await deleteToken(tx, token_id, userId)) === 0) return;
  const event = { type: 'token.revoked', userId, reason: 'code_reused', details: { token_id } } as const;
  await recordEvent(tx, { ...event, now });
}
