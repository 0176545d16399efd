/** What counts as a secret, wherever it is kept. */
import { ConfigError, type Reader } from './reader.ts';

/** Long enough to be a secret: what `openssl rand -hex 16` gives. */
const SECRET_LENGTH = 32;

/** The rule in words, for messages. */
export const SECRET_RULE = `at least ${SECRET_LENGTH} visible ASCII characters without spaces (openssl rand -hex 32)`;

/** Long enough, and fit for a header (RFC 9110 section 5.5). */
export function isSecret(text: string): boolean {
  return text.length >= SECRET_LENGTH && /^[\x21-\x7e]+$/.test(text);
}

/** One secret, commas included; null when not set. */
export function secret(read: Reader, name: string): string | null {
  const given = read.text(name);
  return given === null ? null : checked(name, given);
}

/** Secrets separated by commas; null when not set. Commas alone are a mistake, not "not set". */
export function secrets(read: Reader, name: string): string[] | null {
  if (read.text(name) === null) return null;
  const given = read.list(name);
  if (given.length === 0) throw new ConfigError(name, `must have ${SECRET_RULE}, not commas alone`);
  return given.map((one) => checked(name, one));
}

function checked(name: string, given: string): string {
  if (isSecret(given)) return given;
  throw new ConfigError(name, `must have ${SECRET_RULE}`);
}
