/** Secrets that the operator has not set: created once and kept in the data directory, readable by their owner only. */
import { randomBytes } from 'node:crypto';
import fs, { statSync } from 'node:fs';
import { join } from 'node:path';
import type { AdminCredentials } from '../callers/callers.ts';
import type { Config } from '../config.ts';
import { isAccessibleToOthers } from '../lib/files.ts';
import type { Log } from '../lib/log/log.ts';
import { isSecret, SECRET_RULE } from '../settings/rules.ts';

type SecretFile = ReturnType<typeof readOrCreateSecretFile>;

/** The file cannot be used or created. The message is one line for the operator. */
export class SecretFileError extends Error {
  override name = 'SecretFileError';
}

interface Warnings {
  warn(line: string): void;
}

/** Returns SECRET_KEY, or the key in its file, which is created if it does not exist. @throws SecretFileError */
export function getSecretKey(settings: Pick<Config, 'dataDir' | 'secretKey'>, log?: Warnings): string {
  return settings.secretKey ?? readOrCreateSecretFile(settings.dataDir, 'secret-key', log).secret;
}

/** Returns SECRET_KEY, or the key in its file. @throws SecretFileError if there is none */
export function readExistingSecretKey({ secretKey, dataDir }: Pick<Config, 'dataDir' | 'secretKey'>): string {
  const found = secretKey ?? readSecretFile(join(dataDir, 'secret-key'));
  if (found !== null) return found;
  const file = join(dataDir, 'secret-key');
  throw new SecretFileError(`there is no SECRET_KEY: set it, or put the file of the service at ${file}`);
}

/** Reads the secret, or creates one. Warns if other users can read it. @throws SecretFileError */
export function readOrCreateSecretFile(directory: string, name: string, log: Warnings = console) {
  const file = join(directory, name);
  const found = read(file, log);
  if (found !== null) return { secret: found, file, created: false };
  const created = create(file, name);
  const secret = read(file, log);
  if (secret === null) throw new SecretFileError(`${file} is a link to a file that does not exist`);
  return { secret, file, created };
}

/** Replaces an existing secret atomically, and returns the path of the file. @throws SecretFileError */
export function replaceSecretFile(directory: string, name: string): string {
  const file = join(directory, name);
  if (readSecretFile(file) === null)
    throw new SecretFileError(`${file} does not exist: the next start of the service creates it`);
  const target = fs.realpathSync(file);
  const draft = `${target}.${randomBytes(6).toString('hex')}`;
  try {
    writeSecret(draft);
    copyAccess(target, draft);
    fs.renameSync(draft, target);
    return target;
  } catch (error) {
    throw new SecretFileError(`${target} cannot be replaced: ${(error as NodeJS.ErrnoException).code}`);
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/** Copies owner, group and mode; not the mode if too many others could read the secret. */
function copyAccess(from: string, to: string): void {
  const status = fs.statSync(from);
  const { uid, gid } = fs.statSync(to);
  if (status.uid !== uid || status.gid !== gid) fs.chownSync(to, status.uid, status.gid);
  if (!isAccessibleToOthers(status, status.uid === 0 ? undefined : status.uid))
    fs.chmodSync(to, status.mode & 0o777);
}

function writeSecret(file: string): void {
  fs.writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
}

/** Returns the secret, or null if the file does not exist. @throws SecretFileError */
export const readSecretFile = (file: string): string | null => read(file, { warn: () => {} });

function read(file: string, log: Warnings): string | null {
  try {
    // Non-blocking, because opening a pipe would wait for a writer.
    const descriptor = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    try {
      return readSecret(file, descriptor, log);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw code === undefined ? error : new SecretFileError(`${file} cannot be read: ${code}`);
  }
}

function readSecret(file: string, descriptor: number, log: Warnings): string {
  const status = fs.fstatSync(descriptor);
  if (!status.isFile()) throw new SecretFileError(`${file} is not a regular file`);
  const secret = fs.readFileSync(descriptor, 'utf8').trim();
  if (!isSecret(secret)) {
    const remedy = 'write one to it, or delete the file to create a new one';
    throw new SecretFileError(`${file} does not contain a secret of ${SECRET_RULE}: ${remedy}`);
  }
  if (isAccessibleToOthers(status, process.geteuid?.())) {
    log.warn(`${file} is accessible to other users: change its mode to 0600, or to 0640 if root owns it`);
  }
  return secret;
}

/**
 * Creates the file by a link to a complete draft, so that one of several processes succeeds. Returns false if it
 * exists.
 */
function create(file: string, name: string): boolean {
  // A random name, because a draft that a crash left behind may be linked to the secret file itself.
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeSecret(draft);
    fs.linkSync(draft, file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    const setting = name.toUpperCase().replace('-', '_');
    throw new SecretFileError(`${file} cannot be created: ${code} (DATA_DIR, or set ${setting})`);
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/**
 * Returns the credential of the file and each that replaces it while the process runs, read when an unknown one
 * is presented.
 */
export function toAdminCredentials({ secret, file }: SecretFile, log: Log): AdminCredentials {
  let accepted: readonly string[] = [secret];
  // Not the version that was read at the start: it may have been replaced since.
  let readVersion: string | null = null;
  return {
    accepted: () => accepted,
    refresh() {
      const version = findVersion(file);
      if (version === null || version === readVersion) return false;
      readVersion = version;
      const found = readReplacement(file, log);
      if (found === null || accepted.includes(found)) return false;
      accepted = [...accepted, found];
      log.info(
        { file },
        'the administrator credential was replaced: the new one is accepted, and earlier ones until the restart',
      );
      return true;
    },
  };
}

/** Returns a text that differs after every replacement of the file; null if it cannot be read. */
function findVersion(file: string): string | null {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return null;
  }
}

function readReplacement(file: string, log: Log): string | null {
  try {
    return readSecretFile(file);
  } catch (error) {
    log.warn({ err: error }, 'the file of the administrator credential has changed and cannot be used');
    return null;
  }
}
