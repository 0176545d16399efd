/** Secrets that the operator did not set: made once, kept in the data directory, readable by the owner only. */
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SecretFile {
  readonly secret: string;
  readonly file: string;
  readonly created: boolean;
}

/** The file is there and of no use. */
export class SecretFileError extends Error {
  override name = 'SecretFileError';
}

/** Reads the secret, or makes one of 256 random bits when there is none. @throws when neither can be done */
export function secretFile(directory: string, name: string): SecretFile {
  const file = join(directory, name);
  const created = create(file);
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length < 32) {
    throw new SecretFileError(`${file} does not hold a secret: delete it to have a new one made`);
  }
  return { secret, file, created };
}

/** Linked into place whole: of processes that start together one wins, and none reads half a secret. */
function create(file: string): boolean {
  // A name of its own: a draft that a crash left behind may be the very file that it was linked to.
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
