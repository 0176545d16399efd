import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { quoted } from '../settings/rules.ts';
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

/** Creates the directory, accessible to its owner only, unless nothing would be kept in it. @throws ConfigError */
export function createDataDirectory({
  dataDir,
  ...kept
}: {
  readonly dataDir: string;
  /** Each of these three is null if it is kept in the directory. */
  readonly databaseUrl: string | null;
  readonly adminTokens: readonly string[] | null;
  readonly secretKey: string | null;
}): void {
  if (kept.databaseUrl !== null && kept.adminTokens !== null && kept.secretKey !== null) return;
  try {
    createDirectory(dataDir);
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    const cause = `${code} at ${quoted(path ?? dataDir)}`;
    throw new ConfigError('DATA_DIR', `must be a directory that exists or can be created: ${cause}`);
  }
}

/** Creates the directory and its parents. With `recursive`, mkdirSync never returns for a child of /proc. */
function createDirectory(directory: string): void {
  if (isDirectory(directory)) return;
  createDirectory(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process that starts at the same time may have created it.
    if (!isDirectory(directory)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
