/** The administrator credential in a file, which may be replaced while the service runs. */
import { statSync } from 'node:fs';
import type { AdminCredentials } from '../callers/admin-credentials.ts';
import type { Log } from '../lib/log/log.ts';
import { readSecretFile, type SecretFile } from './secret-files.ts';

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
      const found = read(file, log);
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

function read(file: string, log: Log): string | null {
  try {
    return readSecretFile(file);
  } catch (error) {
    log.warn({ err: error }, 'the file of the administrator credential has changed and cannot be used');
    return null;
  }
}
