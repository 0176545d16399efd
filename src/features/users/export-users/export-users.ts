/** Exports users as CSV for a download: page by page, at the speed of the client. */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../database/database.ts';
import { createStreamLimit } from '../../../lib/routes/stream-limit.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { recordEvent } from '../../events/record-event.ts';
import { userPages } from '../all-users.ts';
import type { UserFilter } from '../records/list/filter.ts';
import type { UserRow } from '../records/queries.ts';
import { userView } from '../records/user-responses.ts';
import { EXPORT_COLUMNS } from './columns.ts';
import { csvFormat } from './csv-format.ts';

/** Each export keeps the process busy, and a page in memory. */
const MAX_EXPORTS = 2;

export interface ExportUsersDeps {
  readonly database: Database;
  readonly clock: Clock;
}

export type ExportUsers = (filter: UserFilter) => Promise<Readable>;

/**
 * Creates the function that exports users. The stream has to be read or destroyed: until then it counts as running.
 * @throws Problem service_unavailable while the node runs as many exports as it can
 */
export function createExportUsers({ database, clock }: ExportUsersDeps): ExportUsers {
  const limit = createStreamLimit({ max: MAX_EXPORTS, name: 'exports' });
  return (filter) =>
    limit(async () => {
      const pages = userPages(database, filter);
      // Before the response begins, so that a failure of the database still gets an error response.
      const first = await pages.next();
      await recordUserExport({ database, clock }, { withPasswordHashes: false });
      return Readable.from(formatCsv(first, pages));
    });
}

/** Records that the administrator exports users. */
export function recordUserExport(
  { database, clock }: ExportUsersDeps,
  { withPasswordHashes }: { readonly withPasswordHashes: boolean },
): Promise<void> {
  const details = { with_password_hashes: withPasswordHashes };
  return database.transaction((tx) =>
    recordEvent(tx, { type: 'users.exported', subject: 'users', details, now: clock() }),
  );
}

type Pages = AsyncGenerator<readonly UserRow[]>;

async function* formatCsv(first: IteratorResult<readonly UserRow[]>, pages: Pages): AsyncGenerator<string> {
  // Loaded by the first export, because the import would delay the start.
  const { stringify } = await import('csv-stringify/sync');
  yield stringify([EXPORT_COLUMNS]);
  for (let page = first; !page.done; page = await pages.next()) {
    if (page.value.length > 0) yield stringify(page.value.map(userView), FORMAT);
    // Yields to other requests: reads on SQLite are synchronous, and a fast client never makes the stream wait.
    await nextTurn();
  }
}

const FORMAT = csvFormat(EXPORT_COLUMNS);
