/** Reads what error responses say beside their message. */

/** Returns the messages of all members; the message of the response ends with their number instead. */
export function listErrors(message: string, errors: Readonly<Record<string, readonly string[]>>): string {
  return Object.values(errors).flat().join(' ') || message;
}

/**
 * Returns the seconds of a header Retry-After, which may be a date in responses of a proxy (RFC 9110 section 10.2.3);
 * null if it is absent or neither.
 */
export function readRetryAfter(value: string | null, now: number): number | null {
  const text = value ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000);
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
