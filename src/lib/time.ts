/** Clocks, and times as texts. */

/** Returns the wall clock in epoch milliseconds. Passed as a parameter, so that tests can set the time. */
export type Clock = () => number;

/** Returns whole milliseconds since a fixed moment. Never goes back, also when the wall clock is set. */
export type MonotonicClock = () => number;

export const monotonic: MonotonicClock = () => Math.floor(performance.now());

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** The latest time of a `Date` in milliseconds (ECMA-262, Time Values). */
export const END_OF_TIME = 8_640_000_000_000_000;

/** Formats a time as RFC 3339 in UTC with milliseconds, like `toISOString` in a fifth of the time. */
export function formatTimestamp(milliseconds: number): string {
  const day = toDayNumber(milliseconds);
  if (day !== lastDay) {
    lastDate = new Date(day * DAY).toISOString().slice(0, 11);
    lastDay = day;
  }
  const rest = milliseconds - day * DAY;
  const hours = TWO_DIGITS[Math.floor(rest / HOUR)];
  const minutes = TWO_DIGITS[Math.floor(rest / MINUTE) % 60];
  const seconds = TWO_DIGITS[Math.floor(rest / 1000) % 60];
  const fraction = rest % 1000;
  return `${lastDate}${hours}:${minutes}:${seconds}.${TWO_DIGITS[Math.floor(fraction / 10)]}${fraction % 10}Z`;
}

/** Formats a time that may be absent. */
export function optionalTimestamp(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatTimestamp(milliseconds);
}

/** Returns a row with these of its members formatted as times. */
export function formatTimes<Row, Name extends keyof Row>(row: Row, names: readonly Name[]) {
  const times = names.map((name) => [name, optionalTimestamp(row[name] as number | null)]);
  return { ...row, ...Object.fromEntries(times) } as Omit<Row, Name> & { [K in Name]: string | null };
}

const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));

/** Times in a list are mostly of few days: the date of the last one is cached. */
let lastDay = Number.NaN;
let lastDate = '';

/** Returns the number of UTC days since 1970-01-01. */
export const toDayNumber = (milliseconds: number): number => Math.floor(milliseconds / DAY);

/** Returns the number of hours since 1970-01-01. */
export const toHourNumber = (milliseconds: number): number => Math.floor(milliseconds / HOUR);

/** Date and time as databases export them: RFC 3339, with a blank for the T, a short zone, without a zone, or digits only. */
const TIME =
  /^(\d{4})-?(\d\d)-?(\d\d)[T ]?(\d\d):?(\d\d):?(\d\d)(?:\.(\d{1,9}))?\s?(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i;

/** Returns epoch milliseconds; null if it is not a time of the years 0000 to 9999 in UTC. Without a zone it is UTC. */
export function parseTime(given: string): number | null {
  const [, year, month, day, hours, minutes, seconds, fraction = '', zone = 'Z'] =
    TIME.exec(given.trim()) ?? [];
  if (year === undefined) return null;
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3);
  const local = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`;
  const time = Date.parse(local);
  const offset = offsetMinutes(zone);
  // Date.parse accepts a 30th of February, and moves it into March.
  if (Number.isNaN(time) || new Date(time).toISOString() !== local || offset === null) return null;
  const inUtc = time - offset * 60_000;
  // In UTC, the year may have other than four digits, which RFC 3339 cannot write.
  return inUtc < FIRST_TIME || inUtc > LAST_TIME ? null : inUtc;
}

const FIRST_TIME = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

function offsetMinutes(zone: string): number | null {
  if (/^(?:Z|UTC)$/i.test(zone)) return 0;
  const digits = zone.replace(':', '').slice(1).padEnd(4, '0');
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** Returns epoch milliseconds of the start of a date in UTC; null for any other text. */
export function parseDate(given: string): number | null {
  return DATE.test(given) ? parseTime(`${given}T00:00:00Z`) : null;
}

/** Returns epoch milliseconds of an RFC 3339 timestamp; null for any other text. */
export function parseTimestamp(given: string): number | null {
  return RFC_3339.test(given) ? parseTime(given) : null;
}
