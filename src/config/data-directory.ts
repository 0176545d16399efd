/** Creates the directory of DATA_DIR. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { quoted } from '../settings/rules.ts';
import { ConfigError } from './read-settings.ts';

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
