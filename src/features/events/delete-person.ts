/** Deletes personal data of erased users from events, which stay. */
import type { Tx } from '../../database/database.ts';
import { HOUR } from '../../lib/time.ts';
import { deleteCounts, deletePersonalData, forgetActor, forgetAdministrator } from './queries.ts';
import { formatUserSubject } from './record-event.ts';

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
export async function deletePersonFromEvents(tx: Tx, { userId, after, limit }: ForgottenBatch) {
  const own = await deletePersonalData(tx, { subject: formatUserSubject(userId), after, limit });
  let caused = 0;
  for (const forget of [forgetActor, forgetAdministrator]) {
    const rest = limit - own.length - caused;
    if (rest > 0) caused += await forget(tx, userId, rest);
  }
  const last = own.reduce((last, { id }) => (id > last ? id : last), after);
  return { changed: own.length + caused, last };
}

/** Deletes counts of a user that are not yet recorded. */
export async function deleteCountsOfUser(tx: Tx, userId: string, now: number): Promise<void> {
  const hour = Math.floor(now / HOUR);
  // The counts of the last hour may not be recorded yet.
  for (const each of [hour - 1, hour]) await deleteCounts(tx, formatUserSubject(userId), each);
}
