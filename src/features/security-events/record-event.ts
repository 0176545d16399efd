/** Records security events in the transaction of their cause (OWASP ASVS 5.0, 16.3). */
import type { Tx } from '../../database/database.ts';
import { newId } from '../../lib/ids.ts';
import { type EventActor, type EventKind, insertEvent } from './queries.ts';

export interface NewEvent {
  readonly userId: string;
  readonly kind: EventKind;
  readonly actor: EventActor;
  /** Epoch milliseconds. */
  readonly now: number;
}

export function recordEvent(tx: Tx, { userId, kind, actor, now }: NewEvent): Promise<void> {
  return insertEvent(tx, userId, { id: newId(), kind, actor, created_at: now });
}
