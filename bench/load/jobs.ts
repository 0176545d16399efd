/** Protocol between the bench and its helper processes: a job in, a result or a failure out, one at a time. */

/** Result of sending requests for some time. */
export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Median and 99th percentile of the milliseconds from a request to the end of its response. */
  readonly p50: number;
  readonly p99: number;
  /** Share of one core that the helper process used. Near 1, the helper limits the rate and not the server. */
  readonly busy: number;
}

export interface JobFailure {
  readonly failure: string;
}

/** Runs every job that the parent process sends. */
export function serveJobs<Job, Result>(run: (job: Job) => Promise<Result>): void {
  process.on('message', (job: Job) => {
    run(job).then(
      (result) => process.send?.(result),
      (error: Error) => process.send?.({ failure: error.message } satisfies JobFailure),
    );
  });
}

/** Starts to measure the processor time of this process; the returned function summarizes the latencies since. */
export function startClock(): (latencies: Float64Array | Float32Array) => LoadResult {
  const began = performance.now();
  const cpu = process.cpuUsage();
  return (latencies) => {
    const milliseconds = performance.now() - began;
    const { user, system } = process.cpuUsage(cpu);
    const sorted = latencies.slice().sort();
    return {
      requests: sorted.length,
      perSecond: (sorted.length / milliseconds) * 1000,
      p50: sorted[Math.floor(sorted.length * 0.5)]!,
      p99: sorted[Math.floor(sorted.length * 0.99)]!,
      busy: (user + system) / 1000 / milliseconds,
    };
  };
}

/** Repeats work for a time, so often at once, and returns its latencies. */
export async function repeatUntil(milliseconds: number, concurrency: number, work: () => Promise<unknown>) {
  const latencies: number[] = [];
  const stopClock = startClock();
  const end = performance.now() + milliseconds;
  const repeat = async () => {
    for (let from = performance.now(); from < end; from = performance.now()) {
      await work();
      latencies.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, repeat));
  return stopClock(Float64Array.from(latencies));
}
