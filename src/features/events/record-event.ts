/** Records security events in the transaction of their cause (OWASP ASVS 5.0, 16.3). */
import type { Tx } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { HOUR } from '../../lib/time/clock.ts';
import { deleteEventsBeyond, type EventActor, type EventKind, insertEvent, repeatEvent } from './queries.ts';

/** Events of these kinds can be caused at any rate: those of an hour are stored as one. */
const REPEATED_KINDS: ReadonlySet<EventKind> = new Set([
  'logged_in',
  'logged_out',
  'token_created',
  'token_rotated',
  'token_revoked',
  'tokens_revoked',
]);

/** The maximum number of stored events of one user, all of which the export contains. */
export const MAX_EVENTS_PER_USER = 1_000;
/** Events beyond the maximum that one event deletes: more than one, where an earlier release has stored more. */
const MAX_DELETED = 20;

export interface NewEvent {
  readonly userId: string;
  readonly kind: EventKind;
  readonly actor: EventActor;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Stores the event, or counts it with the same one of the last hour. The oldest events make room. */
export async function recordEvent(tx: Tx, { userId, kind, actor, now }: NewEvent): Promise<void> {
  const isRepeated =
    REPEATED_KINDS.has(kind) && (await repeatEvent(tx, { userId, kind, actor, since: now - HOUR, now }));
  if (isRepeated) return;
  await insertEvent(tx, userId, { id: newId(), kind, actor, created_at: now });
  await deleteEventsBeyond(tx, userId, { kept: MAX_EVENTS_PER_USER, limit: MAX_DELETED });
}
