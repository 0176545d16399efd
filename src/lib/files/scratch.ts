/** Files and directories that exist while one process works on them. A killed process leaves them to the next one. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A number of a process may be in use again, but not by one that has worked on it for so long. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Returns a path in the directory for this process, and removes those of processes that have ended. */
export function createScratchPath(directory: string, name: string): string {
  const prefix = `.${name}-`;
  for (const entry of readdirSync(directory)) {
    const pid = Number(entry.startsWith(prefix) ? entry.slice(prefix.length) : Number.NaN);
    if (Number.isInteger(pid) && isAbandoned(join(directory, entry), pid))
      removeScratch(join(directory, entry));
  }
  return join(directory, `${prefix}${process.pid}`);
}

export function removeScratch(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

function isAbandoned(path: string, pid: number): boolean {
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
