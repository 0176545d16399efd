/** Keeps spreadsheets from executing values of CSV files as formulas (OWASP, CSV injection) by an apostrophe. */

/** Characters that begin a formula or separate one, also in their full-width forms. */
const FORMULA = String.raw`[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]`;
const DANGEROUS = new RegExp(`^'*${FORMULA}`);
const GUARDED = new RegExp(`^'+${FORMULA}`);

/** Returns the value with an apostrophe before it if a spreadsheet could execute it. */
export function guardFormula(value: string): string {
  return DANGEROUS.test(value) ? `'${value}` : value;
}

/** Returns the value that `guardFormula` has guarded. */
export function unguardFormula(value: string): string {
  return GUARDED.test(value) ? value.slice(1) : value;
}
