/** Dates of the proleptic Gregorian calendar, by arithmetic: `Date` turns the 30th of February into a day of March. */

/** Years 0001 to 9999. The day of the month is checked by `isDate`. */
export const DATE_PATTERN = '^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$';
const DATE = new RegExp(DATE_PATTERN, 'u');
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether the value is a real day in the form `YYYY-MM-DD`. */
export function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !DATE.test(value)) return false;
  const [year, month, day] = value.split('-').map(Number) as [number, number, number];
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= DAYS[month - 1]! + (month === 2 && isLeapYear ? 1 : 0);
}
