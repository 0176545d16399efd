/**
 * Lists of events by filter and order, and their cursors: the number after which the next page begins, and the first bytes of the digest of that
 * event. A database that was restored from a backup may have another event with this number.
 */
import type { SchemaValue } from '../../../lib/schema/json-schema.ts';
import { toTime } from '../../../lib/schema/query-parameters.ts';
import { Problem } from '../../../problems/problem.ts';
import type { EventFilter, EventOrder } from './queries.ts';
import type { listQuerySchema } from './schemas.ts';

export interface EventList {
  readonly filter: EventFilter;
  readonly order: EventOrder;
}

/** All events, the oldest first. */
export const FEED: EventList = {
  filter: { type: null, subject: null, actor: null, outcome: null, from: null, to: null },
  order: 'time',
};

/** Returns the scope of the cursors of a list. */
export function toScope({ filter, order }: EventList): string {
  return `events:${JSON.stringify([order, filter])}`;
}

/** The number of an event, and the start of its digest: empty if it is not known. */
export type EventPosition = readonly [number: number, digest: string];

/** Six bytes in base64url: one of 281,474,976,710,656 digests is taken for another. */
const DIGEST_LENGTH = 8;

export function toPosition(number: number, digest: string): EventPosition {
  return [number, digest.slice(0, DIGEST_LENGTH)];
}

const EARLIER =
  'An earlier release has issued this cursor: read the current state of all users, then follow the events without a cursor';

/**
 * Rejects cursors of the feed that release 0.1 has issued: the number alone follows the 12 bytes of their signature,
 * which is not verified. @throws Problem events_expired
 */
export function rejectEarlierCursor(cursor: string): void {
  const position = Buffer.from(cursor, 'base64url').subarray(12).toString();
  if (/^\d+$/.test(position)) throw new Problem('events_expired', { text: EARLIER });
}

/** Returns the list of a validated query, the newest first without another order. */
export function toEventList(query: SchemaValue<typeof listQuerySchema>): EventList {
  const { type = null, subject = null, actor = null, outcome = null, from, to, order = '-time' } = query;
  return { filter: { type, subject, actor, outcome, from: toTime(from), to: toTime(to) }, order };
}
