/** Exchanges a credential of an administrator for a session of the console. */
import { toActor } from '../../callers/action-context.ts';
import type { AdminCredential, ConsoleSession, FindConsoleSession } from '../../callers/callers.ts';
import type { Database, Tx } from '../../database/database.ts';
import { hashToken, newRandomToken } from '../../lib/secrets/tokens.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { recordEvent } from '../events/record-event.ts';
import { deleteSession, findLiveSession, insertSession, keepNewestSessions } from './queries.ts';
import { LIFETIME_MS, MAX_SESSIONS } from './rules.ts';
import { toReference } from './session-credential.ts';
import { type WithCodeDeps, withCode } from './totp/with-code.ts';

export interface StartSessionDeps extends WithCodeDeps {
  readonly secretKey: string;
}

interface SignIn {
  /** Credential to which the text belongs. */
  readonly credential: AdminCredential;
  readonly text: string;
  /** Code of the second factor, as it was typed; undefined if none was sent. */
  readonly code: string | undefined;
  readonly clientIp: string;
  /** Token of the session that the browser had before, which ends: it may have been planted or copied. */
  readonly previousToken: string | undefined;
}

interface StartedSession extends ConsoleSession {
  readonly token: string;
}

/**
 * Creates a session, and ends the oldest ones beyond the maximum. @throws Problem totp_required,
 * invalid_totp_code, too_many_requests, unauthorized (revoked meanwhile)
 */
export async function startSession(deps: StartSessionDeps, signIn: SignIn): Promise<StartedSession> {
  const { code, clientIp, credential } = signIn;
  const { id } = credential;
  if (id === null) return deps.database.transaction((tx) => openSession(deps, tx, signIn));
  const request = { credential: { ...credential, id }, code, clientIp };
  return withCode(deps, request, (tx) => openSession(deps, tx, signIn));
}

async function openSession(deps: StartSessionDeps, tx: Tx, signIn: SignIn): Promise<StartedSession> {
  const token = newRandomToken();
  const hash = hashToken(token);
  const { credential } = signIn;
  const reference = toReference(deps.secretKey, credential, signIn.text);
  const createdAt = deps.clock();
  const expiresAt = Math.min(createdAt + LIFETIME_MS, credential.expiresAt ?? Number.POSITIVE_INFINITY);
  if (signIn.previousToken !== undefined) await deleteSession(tx, hashToken(signIn.previousToken));
  const session = { hash, credential: reference, created_at: createdAt, expires_at: expiresAt };
  await insertSession(tx, session);
  await keepNewestSessions(tx, { ...session, others: MAX_SESSIONS - 1 });
  const event = { type: 'session.opened', subject: 'console', actor: toActor(credential) } as const;
  await recordEvent(tx, { ...event, now: createdAt });
  return { token, createdAt, expiresAt, credential };
}

/** Deletes the session with this token, if it is live: a flood of invented tokens only reads. */
export async function endSession(
  {
    database,
    clock,
    findConsoleSession,
  }: { database: Database; clock: Clock; findConsoleSession: FindConsoleSession },
  token: string,
  clientIp: string,
): Promise<void> {
  const hash = hashToken(token);
  const now = clock();
  if ((await findLiveSession(database, hash, now)) === undefined) return;
  const session = await findConsoleSession(token, clientIp, { isUse: false });
  // Without a session, its credential is not accepted, or not from this address.
  const actor = session === undefined ? 'administrator' : toActor(session.credential);
  await database.transaction(async (tx) => {
    await deleteSession(tx, hash);
    await recordEvent(tx, { type: 'session.closed', subject: 'console', actor, now });
  });
}
