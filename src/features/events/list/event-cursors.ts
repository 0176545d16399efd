/**
 * Cursors of lists of events: the number after which the next page begins, and the first bytes of the digest of that
 * event. A database that was restored from a backup may have another event with this number.
 */
import type { EventFilter, EventOrder } from './queries.ts';

export interface EventList {
  readonly filter: EventFilter;
  readonly order: EventOrder;
}

const EVERYTHING: EventFilter = {
  type: null,
  subject: null,
  actor: null,
  outcome: null,
  from: null,
  to: null,
};

/** All events, the oldest first. */
export const FEED: EventList = { filter: EVERYTHING, order: 'time' };

/** Returns the scope of the cursors of a list. */
export function toScope({ filter, order }: EventList): string {
  const { type, subject, actor, outcome, from, to } = filter;
  return `events:${JSON.stringify([order, type, subject, actor, outcome, from, to])}`;
}

/** A position with its digest; the number alone is a cursor of an earlier release. */
export type EventCursor = readonly [number: number, digest: string] | number;

/** Six bytes in base64url: one of 281,474,976,710,656 digests is taken for another. */
const DIGEST_LENGTH = 8;

export function toEventCursor(number: number, digest: string): EventCursor {
  return [number, digest.slice(0, DIGEST_LENGTH)];
}

export interface EventPosition {
  readonly number: number;
  /** The start of its digest; null if it is not known. */
  readonly digest: string | null;
}

export function toPosition(cursor: EventCursor): EventPosition {
  if (typeof cursor === 'number') return { number: cursor, digest: null };
  return { number: cursor[0], digest: cursor[1] };
}
