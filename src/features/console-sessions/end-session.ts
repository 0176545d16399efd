/** Ends a session of the console. */
import type { Database } from '../../database/database.ts';
import { hashToken } from '../../lib/secrets/tokens.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { recordEvent } from '../events/record-event.ts';
import { deleteSession, findLiveSession } from './queries.ts';

export interface EndSessionDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** Deletes the session with this token, if it is live: a flood of invented tokens only reads. */
export async function endSession({ database, clock }: EndSessionDeps, token: string): Promise<void> {
  const hash = hashToken(token);
  const now = clock();
  if ((await findLiveSession(database, hash, now)) === undefined) return;
  await database.transaction(async (tx) => {
    await deleteSession(tx, hash);
    await recordEvent(tx, { type: 'session.closed', subject: 'console', actor: 'administrator', now });
  });
}
