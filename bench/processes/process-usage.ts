/** Resource usage of a process, as reported by the operating system. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Returns the resident memory in MB. */
export function readResidentMegabytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

/**
 * Returns the processor time used since the start in microseconds; NaN on systems other than Linux. Fields 14 and 15 of
 * /proc/<pid>/stat (proc(5)), in ticks of 10 ms. The name in field 2 may contain spaces.
 */
export function readCpuMicroseconds(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const fields = readFileSync(file, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}
