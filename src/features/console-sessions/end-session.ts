/** Ends a session of the console. */
import { toActor } from '../../callers/action-context.ts';
import type { FindConsoleSession } from '../../callers/callers.ts';
import type { Database } from '../../database/database.ts';
import { hashToken } from '../../lib/secrets/tokens.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { recordEvent } from '../events/record-event.ts';
import { deleteSession, findLiveSession } from './queries.ts';

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
