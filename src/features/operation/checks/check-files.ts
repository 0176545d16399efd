/** Checks the data directory: disk space, and access to the files of secrets. */
import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { isAccessibleToOthers } from '../../../lib/files.ts';
import { type Finding, failure, getReason, ok, warning } from './finding.ts';

export interface FileSettings {
  readonly dataDir: string;
  /** Null if it is kept in a file, as the next one. */
  readonly adminTokens: readonly string[] | null;
  readonly secretKey: string | null;
}

const MIB = 1024 * 1024;
const LOW = 1024 * MIB;
const CRITICAL = 100 * MIB;

export async function checkDisk({ dataDir }: Pick<FileSettings, 'dataDir'>): Promise<Finding[]> {
  try {
    const { bavail, bsize } = await statfs(dataDir);
    const free = bavail * bsize;
    const message = `${Math.floor(free / MIB)} MiB are free in ${dataDir}`;
    if (free < CRITICAL) return [failure('disk', `${message}: writes will fail; free space now`)];
    return [free < LOW ? warning('disk', `${message}: free space`) : ok('disk', message)];
  } catch (error) {
    return [warning('disk', `${getReason(error)}: check DATA_DIR; the first start creates it`)];
  }
}

export function checkSecretFiles({ dataDir, adminTokens, secretKey }: FileSettings): Finding[] {
  const names = [
    ...(adminTokens === null ? ['admin-token'] : []),
    ...(secretKey === null ? ['secret-key'] : []),
  ];
  return names.map((name) => checkSecretFile(join(dataDir, name)));
}

function checkSecretFile(file: string): Finding {
  try {
    const status = statSync(file, { throwIfNoEntry: false });
    if (status === undefined) return ok('secrets', `${file} will be created by the first start`);
    if (!isAccessibleToOthers(status, process.geteuid?.()))
      return ok('secrets', `${file} is accessible to its owner only`);
    return warning('secrets', `${file} is accessible to other users: chmod 600 ${file}`);
  } catch (error) {
    return failure('secrets', `${getReason(error)}: run the command as the user of the service`);
  }
}
