/** Exports submissions, oldest first, as NDJSON or CSV. */
import type { Readable } from 'node:stream';
import type { Options } from 'csv-stringify';
import type { Database, DatabaseDeps } from '../../../database/database.ts';
import { createExportStream, type ExportFormat } from '../../../lib/routes/export-stream.ts';
import { guardFormula } from '../../../lib/text/text.ts';
import { formatTimestamp } from '../../../lib/time.ts';
import { recordEvent } from '../../events/record-event.ts';
import { getForm, parseDefinition } from '../definitions/definition.ts';
import { type FormRow, listPublishedVersions } from '../queries.ts';
import { createMatcher } from '../submissions/find-submissions.ts';
import {
  readSubmissions,
  type SubmissionFilter,
  type SubmissionPosition,
  type SubmissionRow,
} from '../submissions/queries.ts';

/** A submission has up to 256 KiB. */
const PAGE_SIZE = 100;

export interface SubmissionFormat {
  readonly type: 'ndjson' | 'csv';
  /** Whether texts that a spreadsheet would execute are left as they are. */
  readonly isRaw: boolean;
  /** Whether a CSV file begins with a byte order mark. */
  readonly hasBom: boolean;
}

/** Creates the function that exports submissions. Errors: those of `createExportStream`. */
export function createExportSubmissions({ database, clock }: DatabaseDeps) {
  const stream = createExportStream<SubmissionRow>();
  /** @throws Problem form_not_found */
  return (filter: SubmissionFilter, format: SubmissionFormat): Promise<Readable> =>
    stream(async () => {
      const form = await getForm(database, filter.formId);
      const now = clock();
      return {
        // Not those that are received meanwhile, which might never end.
        pages: readPages(database, { ...filter, to: Math.min(filter.to ?? Infinity, now + 1) }),
        begin: async () => {
          const file =
            format.type === 'csv' ? await createCsv(format, await findColumns(database, form)) : NDJSON;
          await database.transaction((tx) =>
            recordEvent(tx, { type: 'submissions.exported', subject: `form:${form.id}`, now }),
          );
          return file;
        },
      };
    });
}

/** @throws Problem form_not_found (deleted meanwhile) */
async function* readPages(
  database: Database,
  filter: SubmissionFilter,
): AsyncGenerator<readonly SubmissionRow[]> {
  const matches = createMatcher(filter);
  let after: SubmissionPosition | null = null;
  for (;;) {
    const page = { order: 'oldestFirst', after, limit: PAGE_SIZE } as const;
    const rows: SubmissionRow[] = await readSubmissions(database, filter, page);
    yield rows.filter(matches);
    if (rows.length < PAGE_SIZE) break;
    const { received_at, id } = rows.at(-1)!;
    after = [received_at, id];
  }
  // A form that was deleted meanwhile lacks rows: its file must not look complete.
  await getForm(database, filter.formId);
}

/** Lines as those of the list; the answers are written as they are stored. */
const NDJSON: ExportFormat<SubmissionRow> = {
  header: '',
  formatRows: (rows) => rows.map(formatLine).join(''),
};

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

async function createCsv(
  { isRaw, hasBom }: SubmissionFormat,
  columns: readonly string[],
): Promise<ExportFormat<SubmissionRow>> {
  // Loaded by the first export, because the import would delay the start.
  const { stringify } = await import('csv-stringify/sync');
  const options: Options = {
    record_delimiter: 'windows',
    // A single line break is no delimiter of records, but readers take it for one.
    quoted_match: /[\r\n]/,
  };
  const cast = { boolean: String, ...(isRaw ? {} : { string: guardFormula }) };
  return {
    header: `${hasBom ? '\uFEFF' : ''}${stringify([[...METADATA, ...columns]], options)}`,
    formatRows: (rows) =>
      stringify(
        rows.map((row) => toCells(row, columns)),
        { ...options, cast },
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
