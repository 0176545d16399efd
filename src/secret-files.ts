/** Secrets that the operator did not set: made once, kept in the data directory, readable by the owner only. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isSecret, SECRET_RULE } from './config/secrets.ts';

export interface SecretFile {
  readonly secret: string;
  readonly file: string;
  readonly created: boolean;
}

/** The file cannot be used or made; the message is the one line that the operator needs. */
export class SecretFileError extends Error {
  override name = 'SecretFileError';
}

interface Log {
  warn(line: string): void;
}

/**
 * Reads the secret, or makes one of 256 random bits when there is none. A file that is there is only read:
 * it may be mounted from elsewhere. The log hears of a file that others can read.
 * @throws SecretFileError
 */
export function secretFile(directory: string, name: string, log: Log = console): SecretFile {
  const file = join(directory, name);
  const found = read(file, log);
  if (found !== null) return { secret: found, file, created: false };
  const created = create(file, name);
  const secret = read(file, log);
  if (secret === null) throw new SecretFileError(`${file} is a link to a file that is not there`);
  return { secret, file, created };
}

/**
 * Whether more users than those who need it can use the file. As PostgreSQL judges the file of its key: root may
 * own it and let the group of the user read it, which is how volumes are mounted.
 */
export function isExposed({ mode, uid }: Pick<Stats, 'mode' | 'uid'>, user: number | undefined): boolean {
  const isForGroup = uid === 0 && user !== 0;
  return (mode & (isForGroup ? 0o037 : 0o077)) !== 0;
}

/** Gives null where no file is. */
function read(file: string, log: Log): string | null {
  try {
    // Without waiting: a pipe would never open.
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return readOpen(file, descriptor, log);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw code === undefined ? error : new SecretFileError(`${file} cannot be read: ${code}`);
  }
}

function readOpen(file: string, descriptor: number, log: Log): string {
  const status = fstatSync(descriptor);
  if (!status.isFile()) throw new SecretFileError(`${file} is not a regular file`);
  const secret = readFileSync(descriptor, 'utf8').trim();
  if (!isSecret(secret)) {
    const remedy = 'put one there, or delete the file to have a new one made';
    throw new SecretFileError(`${file} does not hold a secret of ${SECRET_RULE}: ${remedy}`);
  }
  if (isExposed(status, process.geteuid?.())) {
    log.warn(`${file} is open to others: give it mode 0600, or 0640 where it belongs to root`);
  }
  return secret;
}

/** Linked into place whole: of processes that start together one wins, and none reads half a secret. */
function create(file: string, name: string): boolean {
  // A name of its own: a draft that a crash left behind may be the very file that it was linked to.
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
    linkSync(draft, file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    const setting = name.toUpperCase().replace('-', '_');
    throw new SecretFileError(`${file} cannot be made: ${code} (DATA_DIR, or set ${setting})`);
  } finally {
    rmSync(draft, { force: true });
  }
}
