/** Exchanges an authorization code for a token (RFC 6749 section 4.1.3, RFC 7636). */
import { hash } from 'node:crypto';
import type { DatabaseDeps, Tx } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { hashToken } from '../../lib/secrets/tokens.ts';
import type { CurrentSettingsSource } from '../../settings/run-time-settings.ts';
import type { ApplicationRow } from '../applications/queries.ts';
import { recordEvent } from '../events/record-event.ts';
import { MAX_LIFETIME_SECONDS } from '../tokens/create-token.ts';
import { type IssuedToken, issueToken } from '../tokens/issue-token.ts';
import { deleteToken } from '../tokens/queries.ts';
import { lockUser, type UserRow } from '../users/records/queries.ts';
import { type CodeRow, findCode, useCode } from './queries.ts';

export interface ExchangeDeps extends DatabaseDeps {
  readonly settings: CurrentSettingsSource;
}

export interface PresentedCode {
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

/** Returns null for a code that is not accepted. One that comes a second time revokes the token of the first (RFC 9700 section 2.1.1). */
export async function exchangeCode(
  deps: ExchangeDeps,
  application: ApplicationRow,
  presented: PresentedCode,
): Promise<{ readonly issued: IssuedToken; readonly user: UserRow; readonly code: CodeRow } | null> {
  const codeHash = hashToken(presented.code);
  return deps.database.transaction(async (tx) => {
    const found = await findCode(tx, codeHash);
    if (found === undefined || found.application_id !== application.id) return null;
    // Serialised with disabling the user and another use of the code.
    const user = await lockUser(tx, found.user_id);
    if (user?.state !== 'active') return null;
    const tokenId = newId();
    const now = deps.clock();
    const code = await useCode(tx, {
      hash: codeHash,
      application_id: application.id,
      redirect_uri: presented.redirectUri,
      challenge: hash('sha256', presented.verifier, 'base64url'),
      ...{ now, tokenId },
    });
    if (code !== undefined)
      return { issued: await issue(deps, tx, { application, code, tokenId, now }), user, code };
    await revokeFirst(tx, codeHash, now);
    return null;
  });
}

async function issue(
  { settings }: ExchangeDeps,
  tx: Tx,
  {
    application,
    code,
    tokenId,
    now,
  }: { application: ApplicationRow; code: CodeRow; tokenId: string; now: number },
): Promise<IssuedToken> {
  const { id: applicationId, name, token_lifetime_days: days } = application;
  const userId = code.user_id;
  const issued = await issueToken(tx, {
    ...{ id: tokenId, userId, name, applicationId, sessionId: code.session_id, now },
    scopes: `${application.scopes} ${code.scopes}`.trim(),
    lifetimeSeconds:
      days === null ? Math.min(settings.current.tokenLifetimeSeconds, MAX_LIFETIME_SECONDS) : days * 86_400,
  });
  const details = { token_id: tokenId, application_id: applicationId };
  await recordEvent(tx, { type: 'token.created', userId, actor: 'user', details, now });
  return issued;
}

async function revokeFirst(tx: Tx, codeHash: string, now: number): Promise<void> {
  const { user_id: userId, token_id } = (await findCode(tx, codeHash)) ?? {};
  if (userId === undefined || !token_id || (await deleteToken(tx, token_id, userId)) === 0) return;
  const event = { type: 'token.revoked', userId, reason: 'code_reused', details: { token_id } } as const;
  await recordEvent(tx, { ...event, now });
}
