/** Lists events with those of one act, such as an import, as one. */
import type { Reader } from '../../../database/database.ts';
import { MINUTE } from '../../../lib/time.ts';
import { parseData } from '../event-view.ts';
import type { EventRow } from '../queries.ts';
import { type EventPageRequest, listEvents } from './list-events.ts';
import { MAX_EXAMINED } from './queries.ts';

/** An event of a list, which may represent others of its act. */
export interface FoldedEvent {
  readonly event: EventRow;
  readonly count: number;
  /** Epoch milliseconds. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Pauses of an import that hashes passwords are shorter. */
const MAX_PAUSE_MS = MINUTE;

/** Reads of one request; the rest of a larger act is on the next page. */
const MAX_READS = 10;

function toSingle(event: EventRow): FoldedEvent {
  return { event, count: 1, firstAt: event.created_at, lastAt: event.created_at };
}

/** Returns a page in which no event represents others. */
export async function listSingleEvents(reader: Reader, request: EventPageRequest) {
  const { rows, next } = await listEvents(reader, request);
  return { rows: rows.map(toSingle), next };
}

/**
 * Returns a page of at most `limit` events, which may stand for many of their act. Events of others in between stay on
 * their own, in their order.
 */
export async function listFoldedEvents(reader: Reader, { limit, ...request }: EventPageRequest) {
  const folded: FoldedEvent[] = [];
  const latest = new Map<string, number>();
  let after = request.after;
  let next: number | null = null;
  for (let reads = 0; reads < MAX_READS; reads++) {
    // One more than the page without acts, to know whether there is a next one.
    const page = await listEvents(reader, {
      ...request,
      after,
      limit: reads === 0 ? limit + 1 : MAX_EXAMINED,
    });
    for (const event of page.rows) {
      if (!fold(event, folded, latest)) {
        if (folded.length === limit) return { rows: folded, next };
        folded.push(toSingle(event));
      }
      next = event.number;
    }
    if (page.next === null || page.next === after?.[0]) return { rows: folded, next: page.next };
    next = page.next;
    after = [next, ''];
  }
  return { rows: folded, next };
}

/** Adds the event to its act if that is on the page. `latest` has the index of the last event of each act. */
function fold(event: EventRow, folded: FoldedEvent[], latest: Map<string, number>): boolean {
  const key = getActKey(event);
  if (key === null) return false;
  const index = latest.get(key);
  const act = index === undefined ? undefined : folded[index]!;
  const { created_at: time } = event;
  if (act === undefined || time < act.firstAt - MAX_PAUSE_MS || time > act.lastAt + MAX_PAUSE_MS) {
    latest.set(key, folded.length);
    return false;
  }
  folded[index!] = {
    event: act.event,
    count: act.count + 1,
    firstAt: Math.min(act.firstAt, time),
    lastAt: Math.max(act.lastAt, time),
  };
  return true;
}

/** Returns what the events of one act share: a request or a command of an administrator that changes many records. */
function getActKey(event: EventRow): string | null {
  const { type, subject, actor, actor_id, outcome } = event;
  if (actor !== 'administrator' || outcome !== 'success' || !subject?.includes(':')) return null;
  const { request_id, actor_name } = parseData(event);
  return JSON.stringify([type, actor_id, actor_name, request_id]);
}
