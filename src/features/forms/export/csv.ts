/** Submissions as CSV (RFC 4180). */
import type { Options } from 'csv-stringify';
import { type ExportFormat, toExportFormat } from '../../../lib/routes/export-stream.ts';
import { guardFormula } from '../../../lib/text/text.ts';
import { formatTimestamp } from '../../../lib/time.ts';
import type { SubmissionRow } from '../submissions/queries.ts';
import { type ExportedField, joinOptions, parseAnswers } from './fields.ts';

export interface CsvFormat {
  /** Whether texts that a spreadsheet would execute are left as they are. */
  readonly isRaw: boolean;
  /** Whether the file begins with a byte order mark. */
  readonly hasBom: boolean;
}

/** The colon keeps them apart from labels. */
const METADATA = ['submission:id', 'submission:received_at', 'submission:version'];

export async function createCsv(
  { isRaw, hasBom }: CsvFormat,
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
    header: `${hasBom ? '\uFEFF' : ''}${stringify([[...METADATA, ...labels]], options)}`,
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
