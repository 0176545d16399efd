/** Exchanges a credential of an administrator for a session of the console. */

import { toActor } from '../../callers/action-context.ts';
import type { AdminCredential, ConsoleSession } from '../../callers/callers.ts';
import type { Database } from '../../database/database.ts';
import { hashToken, newSessionToken } from '../../lib/secrets/tokens.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { recordEvent } from '../events/record-event.ts';
import { deleteSession, insertSession, keepNewestSessions } from './queries.ts';
import { LIFETIME_MS, MAX_SESSIONS } from './rules.ts';
import { toReference } from './session-credential.ts';

export interface StartSessionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretKey: string;
}

export interface SignIn {
  /** That the text was found to be. */
  readonly credential: AdminCredential;
  readonly text: string;
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
  const { credential } = signIn;
  const reference = toReference(deps.secretKey, credential, signIn.text);
  const createdAt = deps.clock();
  const expiresAt = Math.min(createdAt + LIFETIME_MS, credential.expiresAt ?? Number.POSITIVE_INFINITY);
  await deps.database.transaction(async (tx) => {
    if (signIn.previousToken !== undefined) await deleteSession(tx, hashToken(signIn.previousToken));
    await insertSession(tx, { hash, credential: reference, created_at: createdAt, expires_at: expiresAt });
    await keepNewestSessions(tx, hash, MAX_SESSIONS);
    await recordEvent(tx, {
      type: 'session.opened',
      subject: 'console',
      actor: toActor(credential),
      now: createdAt,
    });
  });
  return { token, createdAt, expiresAt, credential };
}
