/** Keeps spreadsheets from executing values of CSV files as formulas (OWASP, CSV injection) by apostrophes. */

/** Characters that begin a formula, also in their full-width forms. */
const FORMULA = String.raw`[=+\-@\uff1d\uff0b\uff0d\uff20]`;
/**
 * A cell begins there, also for a program that separates cells by the semicolon of its locale or by tabs, and ignores
 * quotation marks within them. One that separates them by commas heeds the quotation marks.
 */
const START = String.raw`((?:^|[;\t\r\n])"*)`;
const DANGEROUS = new RegExp(`${START}(?='*${FORMULA})`, 'g');
const GUARDED = new RegExp(`${START}'(?='*${FORMULA})`, 'g');
/** Programs skip white space before a formula. */
const BLANK = /^'*[\t\r\n]/;

/** Returns the value with an apostrophe before each formula that a spreadsheet could execute. */
export function guardFormula(value: string): string {
  return (BLANK.test(value) ? "'" : '') + value.replace(DANGEROUS, "$1'");
}

/** Returns the value that `guardFormula` has guarded. */
export function unguardFormula(value: string): string {
  return (BLANK.test(value) && value.startsWith("'") ? value.slice(1) : value).replace(GUARDED, '$1');
}
