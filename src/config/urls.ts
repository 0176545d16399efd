/** Settings that are addresses: of the service, of its database, of pages that call it. */
import { ConfigError, quoted, type Reader } from './reader.ts';

/** The address that links begin with, without a closing slash; empty when not set. */
export function publicUrl(read: Reader, name: string): string {
  return url(read, name, ['http:', 'https:'])?.replace(/\/+$/, '') ?? '';
}

/** `postgres://…`, or null. */
export function databaseUrl(read: Reader, name: string): string | null {
  return url(read, name, ['postgres:', 'postgresql:']);
}

/** The value is not repeated in the message: it may hold a password. */
function url(read: Reader, name: string, protocols: readonly string[]): string | null {
  const given = read.text(name);
  if (given === null) return null;
  if (URL.canParse(given) && protocols.includes(new URL(given).protocol)) return given;
  throw new ConfigError(name, `must be a URL that starts with ${protocols[0]}//`);
}

/** Exactly as browsers send them (RFC 6454 section 6.2). */
export function origins(read: Reader, name: string): string[] {
  const list = read.list(name);
  const wrong = list.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (wrong === undefined) return list;
  throw new ConfigError(name, `must list origins such as https://app.example.com, not ${quoted(wrong)}`);
}
