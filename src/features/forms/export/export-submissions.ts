/** Exports submissions, oldest first, as NDJSON, CSV or a spreadsheet. */
import type { Readable } from 'node:stream';
import type { Options } from 'csv-stringify';
import type { Database, DatabaseDeps } from '../../../database/database.ts';
import { createExportStream, type ExportFormat, toExportFormat } from '../../../lib/routes/export-stream.ts';
import type { CellValue, Column } from '../../../lib/spreadsheets/cells.ts';
import { formatWorkbook, MAX_COLUMNS, type Table } from '../../../lib/spreadsheets/workbook.ts';
import { guardFormula } from '../../../lib/text/text.ts';
import { formatTimestamp } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import { getForm } from '../definitions/definition.ts';
import { type FormRow, listPublishedVersions } from '../queries.ts';
import { createMatcher } from '../submissions/find-submissions.ts';
import {
  readSubmissions,
  type SubmissionFilter,
  type SubmissionPosition,
  type SubmissionRow,
} from '../submissions/queries.ts';
import { heldView } from '../submissions/submission.ts';
import { type Answer, type ExportedField, findFields, joinOptions, parseAnswers } from './fields.ts';

/** A submission has up to 256 KiB. */
const PAGE_SIZE = 100;

export interface SubmissionFormat {
  readonly type: 'ndjson' | 'csv' | 'xlsx';
  /** Whether texts of CSV files that a spreadsheet would execute are left as they are. */
  readonly isRaw: boolean;
  /** Whether CSV files begin with a byte order mark. */
  readonly hasBom: boolean;
}

/** Creates the function that exports submissions. Errors: those of `createExportStream`. */
export function createExportSubmissions({ database, clock }: DatabaseDeps) {
  const stream = createExportStream<SubmissionRow>();
  /** @throws Problem form_not_found, not_acceptable (more columns than a spreadsheet has) */
  return (filter: SubmissionFilter, format: SubmissionFormat): Promise<Readable> =>
    stream(async () => {
      const form = await getForm(database, filter.formId);
      const now = clock();
      return {
        // Not those that are received meanwhile, which might never end.
        pages: readPages(database, { ...filter, to: Math.min(filter.to ?? Infinity, now + 1) }),
        begin: async () => {
          const file = await createFormat(database, form, format);
          await database.transaction((tx) =>
            recordEvent(tx, { type: 'submissions.exported', subject: `form:${form.id}`, now }),
          );
          return file;
        },
      };
    });
}

async function createFormat(
  database: Database,
  form: FormRow,
  format: SubmissionFormat,
): Promise<ExportFormat<SubmissionRow>> {
  if (format.type === 'ndjson') return NDJSON;
  const fields = findFields(await listPublishedVersions(database, form.id), form.published_version);
  if (format.type === 'csv') return createCsv(format, fields);
  const table = createTable(fields);
  return (pages) => formatWorkbook(pages, table);
}

/** @throws Problem form_not_found (deleted meanwhile) */
async function* readPages(database: Database, filter: SubmissionFilter) {
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
const NDJSON = toExportFormat<SubmissionRow>({
  header: '',
  formatRows: (rows) => rows.map(formatLine).join(''),
});

function formatLine(row: SubmissionRow): string {
  const { id, received_at, version, user_id, answers } = row;
  const members = { id, received_at: formatTimestamp(received_at), version, ...heldView(row), user_id };
  return `${JSON.stringify(members).slice(0, -1)},"answers":${answers}}\n`;
}

/** Returns the format of CSV files (RFC 4180). */
async function createCsv(
  { isRaw, hasBom }: SubmissionFormat,
  fields: readonly ExportedField[],
): Promise<ExportFormat<SubmissionRow>> {
  // Loaded by the first export, because the import would delay the start.
  const { stringify } = await import('csv-stringify/sync');
  const labels = fields.map(({ field }) => field.label);
  const options: Options = {
    record_delimiter: 'windows',
    // A single line break is no delimiter of records, but readers take it for one.
    quoted_match: /[\r\n]/,
  };
  const cast = { boolean: String, ...(isRaw ? {} : { string: guardFormula }) };
  return toExportFormat({
    header: `${hasBom ? '\uFEFF' : ''}${stringify([[...META_COLUMNS.map(({ name }) => name), ...labels]], options)}`,
    formatRows: (rows) =>
      stringify(
        rows.map((row) => toCells(row, labels)),
        { ...options, cast },
      ),
  });
}

function toCells(row: SubmissionRow, labels: readonly string[]) {
  const answers = parseAnswers(row);
  const cells = labels.map((label) => {
    const value = answers.get(label);
    return Array.isArray(value) ? joinOptions(value) : value;
  });
  return [row.id, formatTimestamp(row.received_at), row.version, ...cells];
}

/** The colon keeps them apart from labels. */
const META_COLUMNS: readonly Column[] = [
  { title: 'ID', name: 'submission:id' },
  { title: 'Received (UTC)', name: 'submission:received_at', type: 'time' },
  { title: 'Version', name: 'submission:version' },
];

/**
 * Returns the table, with a column for each option of which answers are lists. These are one text if there are too many.
 * @throws Problem not_acceptable (more columns than a spreadsheet has)
 */
export function createTable(fields: readonly ExportedField[]): Table<SubmissionRow> {
  const isWide = META_COLUMNS.length + fields.flatMap(toColumns).length > MAX_COLUMNS;
  const shown = isWide ? fields.map((one) => ({ ...one, options: [], isSingle: true })) : fields;
  const columns = [...META_COLUMNS, ...shown.flatMap(toColumns)];
  if (columns.length > MAX_COLUMNS)
    throw new Problem('not_acceptable', {
      text: `The form has more fields in all versions than a spreadsheet has columns (${MAX_COLUMNS}): export it as CSV`,
    });
  return {
    name: 'Answers',
    columns,
    toCells: (row) => {
      const answers = parseAnswers(row);
      const cells = shown.flatMap((one) => toSheetCells(one, answers.get(one.field.label)));
      return [row.id, row.received_at, row.version, ...cells];
    },
  };
}

function toColumns({ field, options, isSingle }: ExportedField): Column[] {
  const { label: name, title = name, type } = field;
  return [
    ...(isSingle ? [{ title, name, ...(type === 'date' ? { type } : {}) }] : []),
    // The colon keeps them apart from labels.
    ...options.map((option) => ({ title: `${title} [${option}]`, name: `${name}:${option}` })),
  ];
}

function toSheetCells({ options, isSingle }: ExportedField, answer: Answer | undefined): CellValue[] {
  if (typeof answer !== 'object') return [...(isSingle ? [answer] : []), ...options.map(() => undefined)];
  if (options.length === 0) return [joinOptions(answer)];
  return [...(isSingle ? [undefined] : []), ...options.map((option) => answer.includes(option))];
}
