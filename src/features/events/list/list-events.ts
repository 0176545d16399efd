/** Lists events in pages, for the audit log and the feed. */
import type { Reader } from '../../../database/database.ts';
import type { Page } from '../../../lib/routes/pagination.ts';
import { Problem } from '../../../problems/problem.ts';
import { type Chain, type EventRow, findDigest, readChain } from '../queries.ts';
import type { EventList, EventPosition } from './event-cursors.ts';
import {
  type EventFilter,
  findNumberAfter,
  findNumberBefore,
  type NumberRange,
  readUsers,
  type SubjectUser,
  selectEvents,
} from './queries.ts';

export interface EventPageRequest extends EventList {
  /** The event after which the page begins, in its order; null for the first page. */
  readonly after: EventPosition | null;
  readonly limit: number;
}

/**
 * Returns a page, and the number after which the next one begins. Oldest first, there always is one: events are still
 * to come. @throws Problem events_expired
 */
export async function listEvents(reader: Reader, request: EventPageRequest): Promise<Page<EventRow, number>> {
  const { filter, order, after, limit } = request;
  const chain = await readChain(reader);
  if (order === 'time' && after !== null) await checkPosition(reader, after, chain);
  const range = continueRange(await findRange(reader, filter, chain), request);
  const { rows, last } = await selectEvents(reader, { filter, order, range, limit });
  if (order === '-time') return { rows, next: last };
  // Events may have been deleted between the statements.
  if (after !== null && after[0] < (await readChain(reader)).deleted_number)
    throw new Problem('events_expired');
  return { rows, next: last ?? Math.max(range.low, range.high) };
}

/**
 * Rejects positions whose next event is deleted, and those of a database that was replaced by an earlier backup.
 * @throws Problem events_expired
 */
export async function checkPosition(
  reader: Reader,
  [number, digest]: EventPosition,
  chain: Chain,
): Promise<void> {
  if (number < chain.deleted_number || number > chain.number) throw new Problem('events_expired');
  if (digest !== '' && !(await findDigest(reader, number, chain))?.startsWith(digest))
    throw new Problem('events_expired');
}

/** Returns the numbers among which all events of a span of time are. */
export async function findRange(
  reader: Reader,
  { from, to }: Pick<EventFilter, 'from' | 'to'>,
  chain: Chain,
): Promise<NumberRange> {
  const low = from === null ? 0 : await findNumberBefore(reader, from);
  const next = to === null ? null : await findNumberAfter(reader, to);
  return { low: Math.max(low, chain.deleted_number), high: Math.min(chain.number, (next ?? Infinity) - 1) };
}

function continueRange({ low, high }: NumberRange, { order, after }: EventPageRequest): NumberRange {
  if (after === null) return { low, high };
  const [number] = after;
  return order === 'time' ? { low: Math.max(low, number), high } : { low, high: Math.min(high, number - 1) };
}

const USER_PREFIX = 'user:';

/** Returns the users that the events are about, and the administrators who caused them, as they are now, by id. */
export function findSubjects(
  reader: Reader,
  events: readonly EventRow[],
): Promise<ReadonlyMap<string, SubjectUser>> {
  const ids = events.flatMap(({ subject, actor, actor_id }) => [
    ...(subject?.startsWith(USER_PREFIX) ? [subject.slice(USER_PREFIX.length)] : []),
    ...(actor === 'administrator' && actor_id !== null ? [actor_id] : []),
  ]);
  return readUsers(reader, [...new Set(ids)]);
}
