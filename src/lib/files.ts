/** Files: access rights, replacement, scratch files, and the version of the program. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createWriteStream,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';

/** Returns whether users other than `user` and root can use the file; one group may read a file of root, as mounted. */
export function isAccessibleToOthers({ mode, uid }: Pick<Stats, 'mode' | 'uid'>, user: number | undefined) {
  const isForGroup = uid === 0 && user !== 0;
  return (mode & (isForGroup ? 0o037 : 0o077)) !== 0;
}

/** Reads a text that people write, without the byte order mark that some editors put before it. */
export const readText = (file: string): string => new TextDecoder().decode(readFileSync(file));

/**
 * Writes a file that only its owner can read, atomically: `write` has to end the stream. A device or a pipe is
 * written as it is.
 */
export async function replaceFile(path: string, write: (stream: Writable) => Promise<void>): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const isSpecial = await stat(target).then(
    (status) => !status.isFile(),
    () => false,
  );
  if (isSpecial) return write(createWriteStream(target));
  const temporary = `${target}.${randomBytes(6).toString('hex')}`;
  // `flush`: the content is on the disk before the file gets its name.
  const stream = createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await write(stream);
    if (!stream.closed) await once(stream, 'close');
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Where the start of a process is not known, its number may be in use again, but not by one that has run for so long. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/**
 * Returns a path in the directory that exists while this process works on it, and removes those of processes that
 * have ended: a killed process leaves its path to the next one.
 */
export function createScratchPath(directory: string, name: string): string {
  removeAbandoned(directory, name);
  return join(directory, `.${name}-${process.pid}${readStart(process.pid)}`);
}

/** Removes what processes that have ended have left in the directory, if there is one. */
export function removeAbandoned(directory: string, name: string): void {
  const pattern = new RegExp(`^\\.${name}-(\\d+)(-\\d+)?$`);
  for (const entry of existsSync(directory) ? readdirSync(directory) : []) {
    const [, pid, start] = pattern.exec(entry) ?? [];
    if (pid !== undefined && isAbandoned(join(directory, entry), Number(pid), start))
      removeScratch(join(directory, entry));
  }
}

export function removeScratch(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** Returns when the process started, after a hyphen; empty if it does not exist or the system has no `/proc`. */
function readStart(pid: number): string {
  try {
    // The name of the program may contain spaces and parentheses.
    const members = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!;
    return `-${members.split(' ')[19]}`;
  } catch {
    return '';
  }
}

function isAbandoned(path: string, pid: number, start: string | undefined): boolean {
  if (start !== undefined) return readStart(pid) !== start;
  if (pid === process.pid) return true;
  const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return !isAlive(pid) || modified < Date.now() - MAX_AGE_MS;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns the version that package.json states. */
export function readVersion(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}
