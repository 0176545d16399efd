/** Reference for logins and registrations: argon2id alone, as many hashes at a time as there are cores. */
import { availableParallelism } from 'node:os';
import { hash } from '@node-rs/argon2';
import { PARAMETERS } from '../../src/lib/passwords/password-parameters.ts';
import { type LoadResult, serveJobs, startClock } from '../load/jobs.ts';
import { PASSWORD } from '../load/requests.ts';

export interface HashJob {
  readonly milliseconds: number;
}

async function run({ milliseconds }: HashJob): Promise<LoadResult> {
  const latencies: number[] = [];
  const stopClock = startClock();
  const end = performance.now() + milliseconds;
  const hashUntilEnd = async () => {
    while (performance.now() < end) {
      const from = performance.now();
      await hash(PASSWORD, PARAMETERS);
      latencies.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, hashUntilEnd));
  return stopClock(Float64Array.from(latencies));
}

serveJobs(run);
