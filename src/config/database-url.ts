import { ConfigError, type Reader } from './reader.ts';

/** Reads a PostgreSQL URL, or null if not set. The error message leaves the value out: it may contain a password. */
export function databaseUrl(read: Reader, name: string): string | null {
  const given = read.secretUrl(name);
  if (given === null) return null;
  if (isPostgresUrl(given)) return withExplicitSslMode(given);
  throw new ConfigError(
    name,
    'must be postgres://user:password@host:port/database, or postgres:///database?host=/directory/of/the/socket',
  );
}

/** Requires a host or a socket directory, because the driver defaults to localhost. */
function isPostgresUrl(given: string): boolean {
  if (!/^postgres(ql)?:\/\//i.test(given) || !URL.canParse(given)) return false;
  const { hostname, searchParams } = new URL(given);
  const isPortNumber = /^\d*$/.test(searchParams.get('port') ?? '');
  return isPortNumber && (hostname !== '' || Boolean(searchParams.get('host')));
}

/** Replaces modes that the driver treats as verify-full, because it prints a warning about them on standard error. */
function withExplicitSslMode(url: string): string {
  if (/[?&]uselibpqcompat=true(&|#|$)/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|#|$)/, '$1verify-full');
}
