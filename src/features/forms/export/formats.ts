/** Formats of exported submissions: NDJSON without loss, and CSV (RFC 4180) for spreadsheets. */
import type { Options } from 'csv-stringify';
import { guardFormula } from '../../../lib/text/spreadsheet-formulas.ts';
import { formatTimestamp } from '../../../lib/time/clock.ts';
import type { Field } from '../definitions/definition.ts';
import type { SubmissionRow } from '../submissions/queries.ts';

export const EXPORT_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

export interface ExportFormat {
  readonly type: keyof typeof EXPORT_TYPES;
  /** Whether texts that a spreadsheet would execute are left as they are. */
  readonly isRaw: boolean;
  /** Whether a CSV file begins with a byte order mark. */
  readonly hasBom: boolean;
}

/** The colon keeps them apart from labels. */
const METADATA = ['submission:id', 'submission:received_at', 'submission:version'];

/**
 * Returns the labels of all published versions in the order in which they were first seen; those that the version at the
 * index `current` does not have come last.
 */
export function findColumns(versions: readonly (readonly Field[])[], current: number): readonly string[] {
  const labels = [...new Set(versions.flat().map(({ label }) => label))];
  const asked = new Set(versions[current]?.map(({ label }) => label));
  return [...labels.filter((label) => asked.has(label)), ...labels.filter((label) => !asked.has(label))];
}

/** Returns the functions that format pages of submissions. */
export async function createFormat({ type, isRaw, hasBom }: ExportFormat, columns: readonly string[]) {
  if (type === 'ndjson') return { header: '', formatRows: formatLines };
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
    formatRows: (rows: readonly SubmissionRow[]) =>
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

/** The answers are written as they are stored. */
function formatLines(rows: readonly SubmissionRow[]): string {
  return rows
    .map(({ id, received_at, version, held, user_id, answers }) => {
      const members = { id, received_at: formatTimestamp(received_at), version, held: held === 1, user_id };
      return `${JSON.stringify(members).slice(0, -1)},"answers":${answers}}\n`;
    })
    .join('');
}
