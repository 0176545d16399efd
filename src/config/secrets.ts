/** Rules of secrets, in settings and in files. */
import { ConfigError, type Reader, splitList } from './reader.ts';

/** 128 bits in hexadecimal digits. */
const MIN_SECRET_LENGTH = 32;

export const SECRET_RULE = `at least ${MIN_SECRET_LENGTH} visible ASCII characters without spaces (openssl rand -hex 32)`;

/** Returns whether the text is long enough and can be sent in a header (RFC 9110 section 5.5). */
export function isSecret(text: string): boolean {
  return text.length >= MIN_SECRET_LENGTH && /^[\x21-\x7e]+$/.test(text);
}

/** Reads one secret, which may contain commas; null if not set. */
export function readSecret(read: Reader, name: string): string | null {
  const given = read.secretText(name);
  return given === null ? null : checked(name, given);
}

/** Reads secrets separated by commas; null if not set. Rejects a value of commas alone. */
export function readSecrets(read: Reader, name: string): string[] | null {
  const text = read.secretText(name);
  if (text === null) return null;
  const given = splitList(text);
  if (given.length === 0) throw new ConfigError(name, `must have ${SECRET_RULE}, not commas alone`);
  return given.map((one) => checked(name, one));
}

function checked(name: string, given: string): string {
  if (isSecret(given)) return given;
  throw new ConfigError(name, `must have ${SECRET_RULE}`);
}
