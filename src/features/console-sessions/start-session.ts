/** Exchanges ADMIN_TOKEN for a session of the console. */
import { toActor } from '../../callers/action-context.ts';
import { type ConsoleSession, FIRST_OWNER } from '../../callers/callers.ts';
import type { DatabaseDeps } from '../../database/database.ts';
import { hashToken, newRandomToken } from '../../lib/secrets/tokens.ts';
import { recordEvent } from '../events/record-event.ts';
import { deleteSession, findLiveSession, insertSession, keepNewestSessions } from './queries.ts';
import { createFingerprint, type FirstOwnerDeps, IDLE_MS, LIFETIME_MS, MAX_SESSIONS } from './rules.ts';

const actor = toActor(FIRST_OWNER);

/**
 * Creates a session, and ends the oldest ones beyond the maximum. `previousToken`: that of the session which the browser
 * had before, and which ends: it may have been planted or copied.
 */
export async function startSession(
  deps: DatabaseDeps & Pick<FirstOwnerDeps, 'secretKey'>,
  adminToken: string,
  previousToken: string | undefined,
): Promise<ConsoleSession & { readonly token: string }> {
  const token = newRandomToken();
  const [createdAt, hash] = [deps.clock(), hashToken(token)];
  const expiresAt = createdAt + LIFETIME_MS;
  const credential = createFingerprint(deps)(adminToken);
  await deps.database.transaction(async (tx) => {
    if (previousToken !== undefined) await deleteSession(tx, hashToken(previousToken));
    const session = { hash, credential, created_at: createdAt, expires_at: expiresAt };
    await insertSession(tx, session);
    await keepNewestSessions(tx, { ...session, others: MAX_SESSIONS - 1 });
    await recordEvent(tx, { type: 'session.opened', subject: 'console', actor, now: createdAt });
  });
  return { token, createdAt, expiresAt, idleMs: IDLE_MS, isFresh: true, credential: FIRST_OWNER };
}

/** Deletes the session with this token, if it is live: a flood of invented tokens only reads. */
export async function endSession({ database, clock }: DatabaseDeps, token: string): Promise<void> {
  const hash = hashToken(token);
  const now = clock();
  if ((await findLiveSession(database, hash, now)) === undefined) return;
  await database.transaction(async (tx) => {
    await deleteSession(tx, hash);
    await recordEvent(tx, { type: 'session.closed', subject: 'console', actor, now });
  });
}
