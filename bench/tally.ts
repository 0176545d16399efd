/** Load generator with a constant rate, in a process of its own, that counts responses by status. */
import { serveJobs } from './jobs.ts';
import { type SteadyJob, sendSteadily } from './steady-client.ts';

export interface Tally {
  readonly requests: number;
  /** Number of responses by status; 0 stands for a failed connection. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Latency of 2xx responses in milliseconds; NaN without any. */
  readonly p50: number;
  readonly p99: number;
}

async function run(job: SteadyJob): Promise<Tally> {
  const replies = await sendSteadily(job);
  const statuses: Record<number, number> = {};
  for (const { status } of replies) statuses[status] = (statuses[status] ?? 0) + 1;
  const latencies = replies
    .filter(({ status }) => status >= 200 && status < 300)
    .map(({ milliseconds }) => milliseconds)
    .sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return { requests: replies.length, statuses, p50: quantile(0.5), p99: quantile(0.99) };
}

serveJobs(run);
