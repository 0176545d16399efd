/** The line that the process prints when it cannot start. */
import { isIPv6 } from 'node:net';
import { describeConfigError, type ProcessEnvironment } from '../config/environment-file.ts';
import { ConfigError, readConfig } from '../config.ts';
import { DatabaseUnavailable, PermissionDenied } from '../database/database.ts';
import { DatabaseNotSupported, MigrationNotPermitted } from '../database/migrate.ts';
import { SecretKeyMismatch } from './prepare-database.ts';
import { SecretFileError } from './secret-files.ts';

interface SystemError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
  /** Set on errors that PostgreSQL itself reports. */
  readonly severity?: string;
}

const EXPECTED = [SecretFileError, SecretKeyMismatch, DatabaseNotSupported, MigrationNotPermitted];

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is already in use (PORT)',
  EACCES: 'is not permitted (HOST, PORT)',
  EADDRNOTAVAIL: 'is not an address of this machine (HOST)',
  ENOTFOUND: 'is not an address of this machine (HOST)',
};

/** Returns one line for a failure that the operator can fix, and the stack trace for any other. */
export function describeStartFailure(error: unknown, environment?: ProcessEnvironment): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError) return toOneLine(describeConfigError(error, environment));
  const { code, syscall, severity } = error as SystemError;
  if (syscall === 'listen' || syscall === 'getaddrinfo') return toOneLine(listenFailure(error));
  if (severity !== undefined) return toOneLine(`PostgreSQL reports: ${error.message} (DATABASE_URL)`);
  if (error instanceof DatabaseUnavailable || error instanceof PermissionDenied)
    return toOneLine(`${error.message} (${databaseSetting(environment)})`);
  // Errors of the system and of drivers have a code and a message that explains them.
  const isExpected = code !== undefined || EXPECTED.some((kind) => error instanceof kind);
  return isExpected ? toOneLine(error.message) : (error.stack ?? error.message);
}

function listenFailure({ code = '', hostname, address = '', port }: SystemError): string {
  const host = hostname ?? (isIPv6(address) ? `[${address}]` : address);
  const hostAndPort = port === undefined ? host : `${host}:${port}`;
  return `${hostAndPort} ${LISTEN_ERRORS[code] ?? `cannot be listened on: ${code} (HOST, PORT)`}`;
}

function databaseSetting(environment?: ProcessEnvironment): string {
  return readConfig(environment?.variables ?? {}).databaseUrl === null ? 'DATA_DIR' : 'DATABASE_URL';
}

/** Escapes control characters: values of settings are part of messages, and can contain line breaks. */
function toOneLine(message: string): string {
  return message.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}
