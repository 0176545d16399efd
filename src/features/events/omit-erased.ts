/** Keeps users who are erased out of the events that are recorded afterwards. */
import type { Tx } from '../../database/database.ts';
import { lockSubject, type NewEventRow } from './queries.ts';

const USER = 'user:';

/**
 * Returns the event without users who are erased, and then without address and device. Locks the others by default, so
 * that an erasure that begins meanwhile finds the event.
 */
export async function omitErased<Row extends Omit<NewEventRow, 'id'>>(
  tx: Tx,
  row: Row,
  exists: (tx: Tx, userId: string) => Promise<boolean> = lockSubject,
): Promise<Row> {
  const { subject, actor, actor_id } = row;
  const userId = subject?.startsWith(USER) ? subject.slice(USER.length) : null;
  const actorId = actor === 'user' ? actor_id : null;
  const hasSubject = userId === null || (await exists(tx, userId));
  const hasActor = actorId === userId ? hasSubject : actorId === null || (await exists(tx, actorId));
  if (hasSubject && hasActor) return row;
  return {
    ...row,
    subject: hasSubject ? subject : null,
    actor_id: hasActor ? actor_id : null,
    network: null,
    device: null,
  };
}
