/** Deletes events because of their age, and their subjects with the last event of each. */
import type { Tx } from '../../../database/database.ts';
import type { EventType } from '../event-types.ts';
import { type Age, deleteStart, deleteSubjects, readOldEvents } from './queries.ts';

/** No event of the same subject follows. */
const LAST_TYPES: readonly (EventType | null)[] = ['user.erased', 'webhook.deleted', 'credential.revoked'];

/** Deletes at most `limit` events of this age from the start of the chain; returns their number. */
export async function deleteOldEvents(tx: Tx, age: Age, limit: number): Promise<number> {
  const old = await readOldEvents(tx, age, limit);
  if (old.length === 0) return 0;
  await deleteStart(tx, old, age.before);
  const ended = old.filter(({ type }) => LAST_TYPES.includes(type));
  await deleteSubjects(
    tx,
    ended.map(({ subject }) => subject),
  );
  return old.length;
}
