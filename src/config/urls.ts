/** Settings that are addresses: of the service, of its database, of pages that call it. */
import { ConfigError, quoted, type Reader } from './reader.ts';

/** Scheme, host, port and path prefix; no credentials, query or fragment, which links could not be built on. */
const BASE_URL = /^https?:\/\/[^\s\\/?#@]+(\/[^\s\\?#]*)?$/i;

/**
 * The address that links begin with, normalised (RFC 3986 section 6.2.2: ASCII host in lower case), without a
 * closing slash; empty when not set. It is written into headers.
 */
export function publicUrl(read: Reader, name: string): string {
  const given = read.text(name);
  if (given === null) return '';
  if (BASE_URL.test(given) && URL.canParse(given)) return new URL(given).href.replace(/\/+$/, '');
  // What stands before an "@" may be a password.
  const shown = given.includes('@') ? '' : `, not ${quoted(given)}`;
  throw new ConfigError(
    name,
    `must be an address such as https://accounts.example.com, without user, query or fragment${shown}`,
  );
}

/** `postgres://…`, or null. The value is not repeated in the message: it may hold a password. */
export function databaseUrl(read: Reader, name: string): string | null {
  const given = read.text(name);
  if (given === null) return null;
  if (isPostgresUrl(given)) return withPlainSslMode(given);
  throw new ConfigError(
    name,
    'must be postgres://user:password@host:port/database, or postgres:///database?host=/directory/of/the/socket',
  );
}

/** With a host of its own: without one the driver would take this machine, whatever was meant. */
function isPostgresUrl(given: string): boolean {
  if (!/^postgres(ql)?:\/\//i.test(given) || !URL.canParse(given)) return false;
  const { hostname, searchParams } = new URL(given);
  const isPortNumber = /^\d*$/.test(searchParams.get('port') ?? '');
  return isPortNumber && (hostname !== '' || Boolean(searchParams.get('host')));
}

/** The driver takes these modes for verify-full, and says so at length on standard error. */
function withPlainSslMode(url: string): string {
  if (/[?&]uselibpqcompat=true(&|#|$)/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|#|$)/, '$1verify-full');
}

/** Exactly as browsers send them (RFC 6454 section 6.2). */
export function origins(read: Reader, name: string): string[] {
  const list = read.list(name);
  const wrong = list.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (wrong === undefined) return list;
  throw new ConfigError(name, `must list origins such as https://app.example.com, not ${quoted(wrong)}`);
}
