/** Exports users as CSV or a spreadsheet for a download. */
import type { Readable } from 'node:stream';
import type { Options } from 'csv-stringify';
import type { Database, DatabaseDeps } from '../../database/database.ts';
import { createExportStream, type ExportFormat, toExportFormat } from '../../lib/routes/export-stream.ts';
import type { CellValue } from '../../lib/spreadsheets/cells.ts';
import { formatWorkbook } from '../../lib/spreadsheets/workbook.ts';
import { guardFormula } from '../../lib/text/text.ts';
import { recordEvent } from '../events/record-event.ts';
import { addGroups } from './records/group-queries.ts';
import type { UserFilter } from './records/list/filter.ts';
import { findUsers, type UserPage } from './records/list/find-users.ts';
import type { UserRow } from './records/queries.ts';
import { userView } from './records/user-responses.ts';

/** Creates the function that exports users. Errors: those of `createExportStream`. */
export function createExportUsers(deps: DatabaseDeps) {
  const stream = createExportStream<UserRow>();
  return (filter: UserFilter, type: 'csv' | 'xlsx' = 'csv'): Promise<Readable> =>
    stream(async () => ({
      pages: readUserPages(deps.database, filter),
      begin: async () => {
        const format = type === 'csv' ? await createCsv() : formatSheet;
        await recordUserExport(deps, { with_password_hashes: false });
        return format;
      },
    }));
}

async function createCsv(): Promise<ExportFormat<UserRow>> {
  // Loaded by the first export, because the import would delay the start.
  const { stringify } = await import('csv-stringify/sync');
  return toExportFormat({
    header: stringify([EXPORT_COLUMNS]),
    formatRows: (rows) => stringify(rows.map(userView), FORMAT),
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

const PAGE_SIZE = 500;

/** Yields the users in pages, some of which may be empty. */
async function* readUserPages(database: Database, filter: UserFilter): AsyncGenerator<readonly UserRow[]> {
  let after: UserPage['next'] = null;
  do {
    const request = { filter, sort: 'created_at', after, limit: PAGE_SIZE } as const;
    const page: UserPage = await findUsers(database, request);
    yield await addGroups(database, page.rows);
    after = page.next;
  } while (after !== null);
}

/** Returns the options of csv-stringify. The import removes the apostrophes that guard formulas. */
export function csvFormat(columns: readonly string[]): Options {
  return {
    columns,
    cast: {
      string: guardFormula,
      object: (value) => guardFormula(Array.isArray(value) ? value.join(' ') : JSON.stringify(value)),
    },
  };
}

/** Columns of exported users with their titles in spreadsheets, in their order. */
const TITLES = {
  id: 'ID',
  email: 'Email',
  name: 'Name',
  level: 'Level',
  locale: 'Language',
  state: 'State',
  email_verified_at: 'Email verified (UTC)',
  last_login_at: 'Last sign-in (UTC)',
  created_at: 'Created (UTC)',
  updated_at: 'Changed (UTC)',
  version: 'Version',
  user_metadata: 'User metadata',
  app_metadata: 'App metadata',
  // Later columns come last, for readers that count them.
  zoneinfo: 'Time zone',
  groups: 'Groups',
} as const satisfies { readonly [column in keyof UserRow]?: string };

export const EXPORT_COLUMNS = Object.keys(TITLES) as readonly (keyof typeof TITLES)[];

const FORMAT = csvFormat(EXPORT_COLUMNS);

const formatSheet: ExportFormat<UserRow> = (pages) =>
  formatWorkbook(pages, {
    name: 'Users',
    columns: EXPORT_COLUMNS.map((name) => ({
      title: TITLES[name],
      name,
      ...(name.endsWith('_at') ? { type: 'time' as const } : {}),
    })),
    toCells: (user) => {
      const row = { ...user, groups: user.groups?.join(' ') ?? null };
      return EXPORT_COLUMNS.map((name): CellValue => row[name]);
    },
  });
