/**
 * Deletes events because of their age, and their subjects with the last event of each; the content of old logins; and
 * personal data of erased users, whose events stay. Everything else is kept until its age: nobody can remove by what
 * they do what somebody else has caused.
 */
import type { Tx } from '../../../database/database.ts';
import { HOUR } from '../../../lib/time.ts';
import type { ChainedContent } from '../chain/chain.ts';
import type { EventType } from '../event-types.ts';
import { deleteCountsBetween, deletePersonalData, forgetActor, forgetAdministrator } from '../queries.ts';
import { formatUserSubject } from '../record-event.ts';
import * as queries from './queries.ts';

/** No event of the same subject follows. */
const LAST_TYPES: readonly (EventType | null)[] = ['user.erased', 'webhook.deleted', 'credential.revoked'];

/** Deletes at most `limit` events of this age from the start of the chain; returns their number. */
export async function deleteOldEvents(tx: Tx, age: queries.Age, limit: number): Promise<number> {
  const old = await queries.readOldEvents(tx, age, limit);
  if (old.length === 0) return 0;
  await queries.deleteStart(tx, old, age.before);
  const ended = old.filter(({ type }) => LAST_TYPES.includes(type));
  await queries.deleteSubjects(
    tx,
    ended.map(({ subject }) => subject),
  );
  return old.length;
}

/** Events that are kept of each type, user and actor. */
export const MAX_REPEATED = 300;
/** Events beyond the maximum that are removed in addition to the new ones. */
const MAX_REMOVED = 20;
const REPEATED_TYPES = /^(?:login|session)\./;

type NumberedEvent = Pick<ChainedContent, 'type' | 'subject' | 'actor_id' | 'sequence'>;

/** Removes the oldest logins of users and actors that have more than the maximum, among these. */
export async function removeRepeated(tx: Tx, numbered: readonly NumberedEvent[]): Promise<void> {
  const toKey = ({ subject, type, actor_id }: NumberedEvent) => JSON.stringify({ subject, type, actor_id });
  for (const [key, { length }] of Map.groupBy(numbered.filter(isRepeated), toKey)) {
    const limit = length + MAX_REMOVED;
    await queries.removeContent(
      tx,
      await queries.readNewestAfter(tx, { ...JSON.parse(key), kept: MAX_REPEATED, limit }),
    );
  }
}

/** An actor without an id may be anybody. */
function isRepeated({ type, subject, actor_id, sequence }: NumberedEvent): boolean {
  if (actor_id === null || !subject?.startsWith('user:') || sequence! <= MAX_REPEATED) return false;
  return REPEATED_TYPES.test(type!);
}

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
  const subject = formatUserSubject(userId);
  // The counts of the last hour may not be recorded yet.
  for (const each of [hour - 1, hour]) await deleteCountsBetween(tx, each, `${subject} `, `${subject}!`);
}
