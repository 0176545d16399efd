/** Dates and numbers. Dates are those of the proleptic Gregorian calendar, by patterns: `Date` turns the 30th of February into a day of March. */

const LONG_MONTHS = '(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])';
const SHORT_MONTHS = '(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8])';
const LEAP_YEARS = '[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00';
/** Real days of the years 0001 to 9999. */
export const DATE_PATTERN = `(?!0000)(?:[0-9]{4}-(?:${LONG_MONTHS}|${SHORT_MONTHS})|(?:${LEAP_YEARS})-02-29)`;
const DATE = new RegExp(`^${DATE_PATTERN}$`, 'u');

/** Whether the value is a real day in the form `YYYY-MM-DD`. */
export const isDate = (value: unknown): value is string => typeof value === 'string' && DATE.test(value);

/** Returns lookaheads for dates within the bounds, included: the first digit that differs from a bound decides. */
export function createBoundsPattern(min: string | undefined, max: string | undefined): string {
  return (
    createBoundPattern(min, (digit) => [digit + 1, 9]) + createBoundPattern(max, (digit) => [0, digit - 1])
  );
}

function createBoundPattern(bound = '', toRange: (digit: number) => readonly [number, number]): string {
  const within = [...bound].flatMap((digit, index) => {
    const [first, last] = toRange(Number(digit));
    // False for a hyphen, which is no number.
    return first <= last ? `${bound.slice(0, index)}[${first}-${last}]` : [];
  });
  return bound === '' ? '' : `(?=${[bound, ...within].join('|')})`;
}

/** Numbers of JSON texts that JavaScript cannot represent: they must not be stored as others. */

/** Stands in a parsed body for a number whose value JSON.parse has changed. */
export class InexactNumber {}

/** A reviver of JSON.parse that marks inexact numbers. */
export function markInexactNumbers(
  _name: string,
  value: unknown,
  { source = '' }: { readonly source?: string },
): unknown {
  return typeof value === 'number' && !isExact(value, source) ? new InexactNumber() : value;
}

/** Integers beyond 2^53 must have the same digits when they are written again; others are as near as a double can be. */
function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  if (value === 0) return !/^-?[0-9.]*[1-9]/.test(source);
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER || toDigits(source) === toDigits(value.toExponential());
}

/** `-1200`, `-1.2e+3` and `-0.12e4` have the digits `12`. */
function toDigits(text: string): string {
  return text
    .replace(/e.*$/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '');
}
