/** Deletes personal data of erased users from events, which stay. */
import type { Tx } from '../../database/database.ts';
import { HOUR } from '../../lib/time/clock.ts';
import { forgetActor, forgetCounts, forgetPersonalData } from './queries.ts';
import { userSubject } from './record-event.ts';

export interface ForgottenBatch {
  readonly userId: string;
  /** The id of the event after which the batch begins. */
  readonly after: string;
  readonly limit: number;
}

/**
 * Deletes the personal data of the next events of a user, then of those that the user has caused on other subjects.
 * Returns their number, and the last of the ids of the former.
 */
export async function forgetPerson(tx: Tx, { userId, after, limit }: ForgottenBatch) {
  const { changed, last } = await forgetPersonalData(tx, { subject: userSubject(userId), after, limit });
  const caused = changed < limit ? await forgetActor(tx, userId, limit - changed) : 0;
  return { changed: changed + caused, last };
}

/** Deletes what is counted of a user and not yet recorded. */
export async function forgetCountsOfUser(tx: Tx, userId: string, now: number): Promise<void> {
  const hour = Math.floor(now / HOUR);
  // The counts of the last hour may not be recorded yet.
  for (const each of [hour - 1, hour]) await forgetCounts(tx, userSubject(userId), each);
}
