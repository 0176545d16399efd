/** RFC 3339 section 5.6, with at most nine digits of a fraction. */
const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Parses a time with its offset into epoch milliseconds; undefined for other texts, and for days that do not exist. */
export function parseTimestamp(text: string): number | undefined {
  const [, year, month, day] = DATE_TIME.exec(text) ?? [];
  if (year === undefined) return undefined;
  // Date.parse would make March of the 30th of February.
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (date.getUTCMonth() !== Number(month) - 1) return undefined;
  const time = Date.parse(text.toUpperCase());
  return Number.isNaN(time) ? undefined : time;
}
