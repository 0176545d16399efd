/** Format of CSV files with users. The names in them are untrusted input. */
import type { Options } from 'csv-stringify';
import { guardFormula } from '../../../lib/text/spreadsheet-formulas.ts';

/** Returns the options of csv-stringify. The import removes the apostrophes that guard formulas. */
export function csvFormat(columns: readonly string[]): Options {
  return { columns, cast: { string: guardFormula, object: (value) => JSON.stringify(value) } };
}
