/** Load generator with a constant rate, in a process of its own, that counts responses by status. */

import { type ConstantRateJob, sendAtConstantRate } from './constant-rate.ts';
import { serveJobs } from './jobs.ts';

export interface Tally {
  readonly requests: number;
  /** Number of responses by status; 0 stands for a failed connection. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Latency of 2xx responses in milliseconds; NaN without any. */
  readonly p50: number;
  readonly p99: number;
}

async function run(job: ConstantRateJob): Promise<Tally> {
  const responses = await sendAtConstantRate(job);
  const statuses: Record<number, number> = {};
  for (const { status } of responses) statuses[status] = (statuses[status] ?? 0) + 1;
  const latencies = responses
    .filter(({ status }) => status >= 200 && status < 300)
    .map(({ milliseconds }) => milliseconds)
    .sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return { requests: responses.length, statuses, p50: quantile(0.5), p99: quantile(0.99) };
}

serveJobs(run);
