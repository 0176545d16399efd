/** Epoch milliseconds. Handed in, so that a test can stand at a moment of its choice. */
export type Clock = () => number;

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** RFC 3339 in UTC with milliseconds. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The number of the UTC day, counted from 1970-01-01. */
export function dayNumber(milliseconds: number): number {
  return Math.floor(milliseconds / DAY);
}
