/** Date and time as databases export them: RFC 3339, with a blank for the T, a short zone, without a zone, or digits only. */
const TIME =
  /^(\d{4})-?(\d\d)-?(\d\d)[T ]?(\d\d):?(\d\d):?(\d\d)(?:\.(\d{1,9}))?\s?(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i;

/** Returns epoch milliseconds; null if it is not a time. Without a zone it is UTC. */
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
  return time - offset * 60_000;
}

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
