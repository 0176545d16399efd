/** Exports events as NDJSON: page by page, at the speed of the reader. */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DatabaseDeps, Reader } from '../../../database/database.ts';
import { createStreamLimit } from '../../../lib/routes/stream-limit.ts';
import { eventView } from '../event-view.ts';
import type { EventList } from '../list/event-cursors.ts';
import { findSubjects, listEvents } from '../list/list-events.ts';
import { readChain } from '../queries.ts';
import { recordEvent } from '../record-event.ts';

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

/** Each export keeps the process busy, and a page in memory. */
const MAX_EXPORTS = 2;

/** Creates the function that exports events. Errors: Problem service_unavailable while two exports run. */
export function createExportEvents({ database, clock }: DatabaseDeps) {
  const limit = createStreamLimit({ max: MAX_EXPORTS, name: 'exports' });
  return (list: EventList): Promise<Readable> =>
    limit(async () => {
      const pages = readEventPages(database, list);
      // Before the response begins, so that a failure of the database still gets an error response.
      const first = await pages.next();
      await database.transaction((tx) =>
        recordEvent(tx, { type: 'events.exported', subject: 'events', now: clock() }),
      );
      return Readable.from(formatPages(first, pages));
    });
}

type Pages = ReturnType<typeof readEventPages>;

async function* formatPages(first: Awaited<ReturnType<Pages['next']>>, pages: Pages): AsyncGenerator<string> {
  for (let page = first; !page.done; page = await pages.next()) {
    if (page.value.length > 0) yield page.value.map((event) => `${JSON.stringify(event)}\n`).join('');
    // Yields to other requests: reads on SQLite are synchronous, and a fast client never makes the stream wait.
    await nextTurn();
  }
}
