/** Dates of the proleptic Gregorian calendar, by patterns: `Date` turns the 30th of February into a day of March. */

const LONG_MONTHS = '(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])';
const SHORT_MONTHS = '(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8])';
const LEAP_YEARS = '[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00';
/** Real days of the years 0001 to 9999. */
export const DATE_PATTERN = `(?!0000)(?:[0-9]{4}-(?:${LONG_MONTHS}|${SHORT_MONTHS})|(?:${LEAP_YEARS})-02-29)`;
const DATE = new RegExp(`^${DATE_PATTERN}$`, 'u');

/** Whether the value is a real day in the form `YYYY-MM-DD`. */
export function isDate(value: unknown): value is string {
  return typeof value === 'string' && DATE.test(value);
}

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
