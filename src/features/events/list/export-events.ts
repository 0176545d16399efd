/** Exports events as NDJSON. */
import type { Readable } from 'node:stream';
import type { DatabaseDeps, Reader } from '../../../database/database.ts';
import { createExportStream, toExportFormat } from '../../../lib/routes/export-stream.ts';
import { eventView } from '../event-view.ts';
import { readChain } from '../queries.ts';
import { recordEvent } from '../record-event.ts';
import { type EventList, findSubjects, listEvents } from './list-events.ts';

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
