/** Exports users as CSV for a download: page by page, at the speed of the client. */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Options } from 'csv-stringify';
import type { Database, DatabaseDeps } from '../../../database/database.ts';
import { createStreamLimit } from '../../../lib/routes/stream-limit.ts';
import { guardFormula } from '../../../lib/text/spreadsheet-formulas.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { UserFilter } from '../records/list/filter.ts';
import { findUsers, type UserPage } from '../records/list/find-users.ts';
import type { UserRow } from '../records/queries.ts';
import { userView } from '../records/user-responses.ts';

/** Each export keeps the process busy, and a page in memory. */
const MAX_EXPORTS = 2;

/**
 * Creates the function that exports users. The stream has to be read or destroyed: until then it counts as running.
 * @throws Problem service_unavailable while the node runs as many exports as it can
 */
export function createExportUsers({ database, clock }: DatabaseDeps) {
  const limit = createStreamLimit({ max: MAX_EXPORTS, name: 'exports' });
  return (filter: UserFilter): Promise<Readable> =>
    limit(async () => {
      const pages = readUserPages(database, filter);
      // Before the response begins, so that a failure of the database still gets an error response.
      const first = await pages.next();
      await recordUserExport({ database, clock }, { with_password_hashes: false });
      return Readable.from(formatCsv(first, pages));
    });
}

/** Records that the administrator exports users. */
export function recordUserExport(
  { database, clock }: DatabaseDeps,
  details: { readonly with_password_hashes: boolean },
): Promise<void> {
  return database.transaction((tx) =>
    recordEvent(tx, { type: 'users.exported', subject: 'users', details, now: clock() }),
  );
}

type Pages = AsyncGenerator<readonly UserRow[]>;

const PAGE_SIZE = 500;

/** Yields the users in pages, some of which may be empty. */
async function* readUserPages(database: Database, filter: UserFilter): Pages {
  let after: UserPage['next'] = null;
  do {
    const request = { filter, sort: 'created_at', after, limit: PAGE_SIZE } as const;
    const page: UserPage = await findUsers(database, request);
    yield page.rows;
    after = page.next;
  } while (after !== null);
}

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

/** Returns the options of csv-stringify. The import removes the apostrophes that guard formulas. */
export function csvFormat(columns: readonly string[]): Options {
  return { columns, cast: { string: guardFormula, object: (value) => JSON.stringify(value) } };
}

/** Columns of exported users, in their order. */
export const EXPORT_COLUMNS = [
  'id',
  'email',
  'name',
  'level',
  'locale',
  'state',
  'email_verified_at',
  'last_login_at',
  'created_at',
  'updated_at',
  'version',
  'user_metadata',
  'app_metadata',
] as const;

const FORMAT = csvFormat(EXPORT_COLUMNS);
