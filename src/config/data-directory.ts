/** The folder of DATA_DIR, there before anything is kept in it. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError, quoted } from './reader.ts';

interface Settings {
  readonly dataDir: string;
  /** These three: null where it is kept in the folder. */
  readonly databaseUrl: string | null;
  readonly adminTokens: readonly string[] | null;
  readonly secretKey: string | null;
}

/**
 * Makes the folder, for its user only, unless it is there or nothing would be kept in it (PostgreSQL, and both
 * secrets set).
 * @throws ConfigError
 */
export function makeDataDirectory({ dataDir, databaseUrl, adminTokens, secretKey }: Settings): void {
  if (databaseUrl !== null && adminTokens !== null && secretKey !== null) return;
  try {
    makeDirectory(dataDir);
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    const cause = `${code} at ${quoted(path ?? dataDir)}`;
    throw new ConfigError('DATA_DIR', `must be a folder that is there or can be made: ${cause}`);
  }
}

/**
 * Not mkdirSync's own recursion, which never ends where a folder takes no other and says that it is not there,
 * as /proc does.
 */
function makeDirectory(directory: string): void {
  if (isDirectory(directory)) return;
  makeDirectory(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Of processes that start together, another one may have made it.
    if (!isDirectory(directory)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
