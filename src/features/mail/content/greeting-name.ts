const MAX_LENGTH = 60;
/** Letters, digits and the punctuation of names. A dot only before a space or at the end, as in `J. R. Smith Jr.`. */
const PLAIN_NAME = /^(?:[\p{L}\p{M}\p{N}'’,& -]|\.(?= |$))+$/u;

/**
 * Returns the name for the greeting, or null for a text that is more than a name. Anyone can register with the address
 * of another person, and a "name" with a link or a sentence would be sent to them as if the service had written it.
 */
export function toGreetingName(name: string | null): string | null {
  const trimmed = name?.trim() ?? '';
  return trimmed.length <= MAX_LENGTH && PLAIN_NAME.test(trimmed) ? trimmed : null;
}
