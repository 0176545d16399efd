/**
 * Lists events in pages, for the audit log and the feed. A cursor is the number after which the next page begins, and
 * the first bytes of the digest of that event: a database that was restored from a backup may have another event with
 * this number.
 */
import type { Readable } from 'node:stream';
import type { DatabaseDeps, Reader } from '../../../database/database.ts';
import { createExportStream, toExportFormat } from '../../../lib/routes/export-stream.ts';
import type { Page } from '../../../lib/routes/pagination.ts';
import type { SchemaValue } from '../../../lib/schema/json-schema.ts';
import { toTime } from '../../../lib/schema/query-parameters.ts';
import { Problem } from '../../../problems/problem.ts';
import { eventView } from '../event-view.ts';
import { type Chain, type EventRow, findDigest, readChain } from '../queries.ts';
import { recordEvent } from '../record-event.ts';
import * as queries from './queries.ts';
import type { listQuerySchema } from './schemas.ts';

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
  const { rows, last } = await queries.selectEvents(reader, { filter, order, range, limit });
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
export async function checkPosition(reader: Reader, [number, digest]: EventPosition, chain: Chain) {
  if (number < chain.deleted_number || number > chain.number) throw new Problem('events_expired');
  if (digest !== '' && !(await findDigest(reader, number, chain))?.startsWith(digest))
    throw new Problem('events_expired');
}

/** Returns the numbers among which all events of a span of time are. */
export async function findRange(
  reader: Reader,
  { from, to }: Pick<queries.EventFilter, 'from' | 'to'>,
  chain: Chain,
): Promise<queries.NumberRange> {
  const low = from === null ? 0 : await queries.findNumberBefore(reader, from);
  const next = to === null ? null : await queries.findNumberAfter(reader, to);
  return { low: Math.max(low, chain.deleted_number), high: Math.min(chain.number, (next ?? Infinity) - 1) };
}

function continueRange({ low, high }: queries.NumberRange, { order, after }: EventPageRequest) {
  if (after === null) return { low, high };
  const [number] = after;
  return order === 'time' ? { low: Math.max(low, number), high } : { low, high: Math.min(high, number - 1) };
}

const USER_PREFIX = 'user:';

/** Returns the users that the events are about, and the administrators who caused them, as they are now, by id. */
export function findSubjects(reader: Reader, events: readonly EventRow[]) {
  const ids = events.flatMap(({ subject, actor, actor_id }) => [
    ...(subject?.startsWith(USER_PREFIX) ? [subject.slice(USER_PREFIX.length)] : []),
    ...(actor === 'administrator' && actor_id !== null ? [actor_id] : []),
  ]);
  return queries.readUsers(reader, [...new Set(ids)]);
}

export interface EventList {
  readonly filter: queries.EventFilter;
  readonly order: queries.EventOrder;
}

/** All events, the oldest first. */
export const FEED: EventList = {
  filter: { type: null, subject: null, actor: null, outcome: null, from: null, to: null },
  order: 'time',
};

/** Returns the scope of the cursors of a list. */
export const toScope = ({ filter, order }: EventList): string => `events:${JSON.stringify([order, filter])}`;

/** The number of an event, and the start of its digest: empty if it is not known. */
export type EventPosition = readonly [number: number, digest: string];

/** Six bytes in base64url: two digests begin alike once in 281,474,976,710,656. */
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

/** Few enough that other requests do not wait long for a page and its users. */
const PAGE_SIZE = 100;

/**
 * Yields the events of the list that have a number at the start, in pages, some of which may be empty.
 * @throws Problem events_expired if events are deleted before they are read
 */
export async function* readEventPages(
  reader: Reader,
  { filter, order }: EventList,
  limit = PAGE_SIZE,
): AsyncGenerator<ReturnType<typeof eventView>[]> {
  const { number, deleted_number } = await readChain(reader);
  let after = order === 'time' ? deleted_number : number + 1;
  for (;;) {
    const { rows, next } = await listEvents(reader, { filter, order, after: [after, ''], limit });
    const kept = rows.filter((event) => event.number <= number);
    const users = await findSubjects(reader, kept);
    yield kept.map((event) => eventView(event, users));
    // Oldest first, there is always a next page, which begins where this one did when nothing is left.
    if (next === null || next === after || (order === 'time' && next >= number)) return;
    after = next;
  }
}

/** Creates the function that exports events. Errors: those of `createExportStream`. */
export function createExportEvents({ database, clock }: DatabaseDeps) {
  const stream = createExportStream<object>();
  return (list: EventList): Promise<Readable> =>
    stream(async () => ({
      pages: readEventPages(database, list),
      begin: async () => {
        await database.transaction((tx) =>
          recordEvent(tx, { type: 'events.exported', subject: 'events', now: clock() }),
        );
        return toExportFormat({
          header: '',
          formatRows: (rows) => rows.map((event) => `${JSON.stringify(event)}\n`).join(''),
        });
      },
    }));
}
