/** Measures, formats and escapes texts. */

/** Returns the number of Unicode code points, which NIST SP 800-63B counts as characters ('😀' is one). */
export function countCodePoints(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      length--;
      index++;
    }
  }
  return length;
}

/** Whether every engine stores and returns the text unchanged: well-formed UTF-16 without U+0000. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

/** Returns a count with its noun, in the plural unless there is one: `1 message`, `2 messages`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Escapes a text for HTML, in content and in attributes with double quotes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

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

/** Spaces, dashes of every kind (phones replace `-` by a longer one), and characters that are not seen. */
const BETWEEN = /[\s\p{Pd}\p{Cf}\u2212]/gu;
/** The full-width forms of the visible ASCII characters follow them at this distance. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const DISTANCE = 0xfee0;

/** Returns a code without what people and keyboards put into it: spaces, dashes, full-width and lower-case characters. */
export const normalizeTypedCode = (code: string): string =>
  code
    .replace(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - DISTANCE))
    .replace(BETWEEN, '')
    .toUpperCase();
