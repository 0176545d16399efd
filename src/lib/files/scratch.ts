/** Files and directories that exist while one process works on them. A killed process leaves them to the next one. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Where the start of a process is not known, its number may be in use again, but not by one that has run for so long. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Returns a path in the directory for this process, and removes those of processes that have ended. */
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
