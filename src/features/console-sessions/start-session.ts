/** Exchanges an administrator credential for a session of the console. */

import type { ConsoleSession } from '../../callers/callers.ts';
import type { Database } from '../../database/database.ts';
import { hashToken, newSessionToken } from '../../lib/secrets/tokens.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { recordEvent } from '../events/record-event.ts';
import { credentialFingerprint } from './credential-fingerprint.ts';
import { deleteSession, insertSession, keepNewestSessions } from './queries.ts';
import { LIFETIME_MS, MAX_SESSIONS } from './rules.ts';

export interface StartSessionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretKey: string;
}

export interface SignIn {
  /** Has been verified. */
  readonly credential: string;
  /** Token of the session that the browser had before, which ends: it may have been planted or copied. */
  readonly previousToken: string | undefined;
}

export interface StartedSession extends ConsoleSession {
  readonly token: string;
}

/** Creates a session, always with a new token, and ends the oldest ones beyond the maximum. */
export async function startSession(deps: StartSessionDeps, signIn: SignIn): Promise<StartedSession> {
  const token = newSessionToken();
  const hash = hashToken(token);
  const credential = credentialFingerprint(deps.secretKey)(signIn.credential);
  const createdAt = deps.clock();
  const expiresAt = createdAt + LIFETIME_MS;
  await deps.database.transaction(async (tx) => {
    if (signIn.previousToken !== undefined) await deleteSession(tx, hashToken(signIn.previousToken));
    await insertSession(tx, { hash, credential, created_at: createdAt, expires_at: expiresAt });
    await keepNewestSessions(tx, hash, MAX_SESSIONS);
    await recordEvent(tx, {
      type: 'session.opened',
      subject: 'console',
      actor: 'administrator',
      now: createdAt,
    });
  });
  return { token, createdAt, expiresAt };
}
