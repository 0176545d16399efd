/** Times as fields of the type `datetime-local` have them, in a time zone (IANA); without one, in that of the browser. */

/** Returns `2026-12-01T10:00`. */
export function toLocalTime(at: string | number, timeZone?: string): string {
  // Swedish times are those of ISO 8601, but for the zeros of early years.
  const time = new Date(at).toLocaleString('sv', { timeZone }).padStart('2026-12-01 10:00:00'.length, '0');
  return time.slice(0, 16).replace(' ', 'T');
}

/** Returns the time in UTC; one an hour beside for a time that does not exist, when clocks go forward. */
export function fromLocalTime(local: string, timeZone?: string): string {
  const time = Date.parse(`${local}Z`);
  const getOffset = (at: number) => Date.parse(`${toLocalTime(at, timeZone)}Z`) - at;
  return new Date(time - getOffset(time - getOffset(time))).toISOString();
}
