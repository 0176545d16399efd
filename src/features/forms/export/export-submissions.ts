/** Exports submissions, oldest first, as NDJSON or CSV: page by page, at the speed of the reader. */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Options } from 'csv-stringify';
import type { Database, DatabaseDeps } from '../../../database/database.ts';
import { createStreamLimit } from '../../../lib/routes/stream-limit.ts';
import { guardFormula } from '../../../lib/text/spreadsheet-formulas.ts';
import { formatTimestamp } from '../../../lib/time/clock.ts';
import { recordEvent } from '../../events/record-event.ts';
import { getForm, parseDefinition } from '../form-rules.ts';
import { type FormRow, listPublishedVersions } from '../queries.ts';
import {
  readSubmissions,
  type SubmissionFilter,
  type SubmissionPosition,
  type SubmissionRow,
} from '../submissions/queries.ts';

/** Each export keeps the process busy, and a page in memory. */
const MAX_EXPORTS = 2;
/** A submission has up to 256 KiB. */
const PAGE_SIZE = 100;

export interface ExportFormat {
  readonly type: 'ndjson' | 'csv';
  /** Whether texts that a spreadsheet would execute are left as they are. */
  readonly isRaw: boolean;
  /** Whether a CSV file begins with a byte order mark. */
  readonly hasBom: boolean;
}

/** Creates the function that exports submissions. Errors: Problem service_unavailable while two exports run. */
export function createExportSubmissions({ database, clock }: DatabaseDeps) {
  const limit = createStreamLimit({ max: MAX_EXPORTS, name: 'exports' });
  /** @throws Problem form_not_found */
  return (filter: SubmissionFilter, format: ExportFormat): Promise<Readable> =>
    limit(async () => {
      const form = await getForm(database, filter.formId);
      const now = clock();
      // Not those that are received meanwhile, which might never end.
      const pages = readPages(database, { ...filter, to: Math.min(filter.to ?? Infinity, now + 1) });
      // Before the response begins, so that a failure of the database still gets an error response.
      const first = await pages.next();
      const { header, formatRows } =
        format.type === 'csv' ? await createCsv(format, await findColumns(database, form)) : NDJSON;
      await database.transaction((tx) =>
        recordEvent(tx, { type: 'submissions.exported', subject: `form:${form.id}`, now }),
      );
      return Readable.from(formatPages(first, pages, { header, formatRows }));
    });
}

type Pages = AsyncGenerator<readonly SubmissionRow[]>;

/** @throws Problem form_not_found (deleted meanwhile) */
async function* readPages(database: Database, filter: SubmissionFilter): Pages {
  let after: SubmissionPosition | null = null;
  for (;;) {
    const page = { order: 'oldestFirst', after, limit: PAGE_SIZE } as const;
    const rows: SubmissionRow[] = await readSubmissions(database, filter, page);
    yield rows;
    if (rows.length < PAGE_SIZE) break;
    const { received_at, id } = rows.at(-1)!;
    after = [received_at, id];
  }
  // Of a form that was deleted meanwhile, rows are missing: the file must not look complete.
  await getForm(database, filter.formId);
}

interface Formatter {
  readonly header: string;
  readonly formatRows: (rows: readonly SubmissionRow[]) => string;
}

async function* formatPages(
  first: IteratorResult<readonly SubmissionRow[]>,
  pages: Pages,
  { header, formatRows }: Formatter,
): AsyncGenerator<string> {
  if (header !== '') yield header;
  for (let page = first; !page.done; page = await pages.next()) {
    if (page.value.length > 0) yield formatRows(page.value);
    // Yields to other requests: reads on SQLite are synchronous, and a fast client never makes the stream wait.
    await nextTurn();
  }
}

/** Lines as those of the list; the answers are written as they are stored. */
const NDJSON: Formatter = { header: '', formatRows: (rows) => rows.map(formatLine).join('') };

function formatLine({ id, received_at, version, held, user_id, answers }: SubmissionRow): string {
  const members = { id, received_at: formatTimestamp(received_at), version, held: held === 1, user_id };
  return `${JSON.stringify(members).slice(0, -1)},"answers":${answers}}\n`;
}

/**
 * Returns the labels of all published versions in the order in which they were first seen; those that the current one does
 * not have come last.
 */
async function findColumns(database: Database, form: FormRow): Promise<readonly string[]> {
  const versions = await listPublishedVersions(database, form.id);
  const labels = new Map(
    versions.map((row) => [row.number, parseDefinition(row).fields.map(({ label }) => label)]),
  );
  const current = new Set(labels.get(form.published_version ?? 0));
  const { true: kept = [], false: removed = [] } = Object.groupBy(
    new Set([...labels.values()].flat()),
    (label) => `${current.has(label)}`,
  );
  return [...kept, ...removed];
}

/** The colon keeps them apart from labels. */
const METADATA = ['submission:id', 'submission:received_at', 'submission:version'];

async function createCsv({ isRaw, hasBom }: ExportFormat, columns: readonly string[]): Promise<Formatter> {
  // Loaded by the first export, because the import would delay the start.
  const { stringify } = await import('csv-stringify/sync');
  const options: Options = {
    record_delimiter: 'windows',
    // A single line break is no delimiter of records, but readers take it for one.
    quoted_match: /[\r\n]/,
    cast: { boolean: String, ...(isRaw ? {} : { string: guardFormula }) },
  };
  return {
    header: `${hasBom ? '\uFEFF' : ''}${stringify([[...METADATA, ...columns]], options)}`,
    formatRows: (rows) =>
      stringify(
        rows.map((row) => toCells(row, columns)),
        options,
      ),
  };
}

function toCells({ id, received_at, version, answers }: SubmissionRow, columns: readonly string[]) {
  const values = new Map<string, unknown>(Object.entries(JSON.parse(answers)));
  const cells = columns.map((label) => {
    const value = values.get(label);
    return Array.isArray(value) ? value.join('; ') : value;
  });
  return [id, formatTimestamp(received_at), version, ...cells];
}
