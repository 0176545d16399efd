/** Limits programs to a share of a core, so that several fit on a machine beside the load and the database. */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PERIOD_US = 10_000;
/** Version 1 of control groups has a directory for each resource. */
const V1 = '/sys/fs/cgroup/cpu';
const V2 = '/sys/fs/cgroup';

/** Returns the command in a control group of its own, which needs the rights of root. The group is empty at the end. */
export function limitCpu(command: readonly string[], name: string, share: number): readonly string[] {
  const quota = Math.round(PERIOD_US * share);
  const isV1 = existsSync(V1);
  const group = join(isV1 ? V1 : V2, `frontdesk-bench-${process.pid}-${name}`);
  mkdirSync(group);
  process.once('exit', () => rmdirSync(group));
  const files = isV1
    ? { 'cpu.cfs_period_us': PERIOD_US, 'cpu.cfs_quota_us': quota }
    : { 'cpu.max': `${quota} ${PERIOD_US}` };
  for (const [file, value] of Object.entries(files)) writeFileSync(join(group, file), String(value));
  return ['sh', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', group, ...command];
}
