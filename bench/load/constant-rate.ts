/**
 * Load generator, a process of its own, that sends requests at a constant rate: by the clock, not after the previous response, so that a pause of the server
 * delays every request that falls into it. autocannon's `overallRate` is no substitute: it sends the requests of
 * each second at once at the beginning of that second.
 */
import { Agent, request as sendRequest } from 'node:http';
import { type LoadResult, serveJobs, startClock } from './jobs.ts';
import type { Job } from './load.ts';
import type { BenchRequest } from './requests.ts';

export interface ConstantRateJob extends Job {
  readonly perSecond: number;
}

const TICK_MS = 1;

/** Resolves to the latencies of all requests, until the end of each response. */
async function run(job: ConstantRateJob): Promise<LoadResult> {
  const stopClock = startClock();
  // Requests beyond the number of connections wait in the agent, and their wait counts.
  const agent = new Agent({ keepAlive: true, maxSockets: job.connections });
  try {
    return stopClock(Float64Array.from(await Promise.all(await startAtConstantRate(job, agent))));
  } finally {
    agent.destroy();
  }
}

/** Resolves when the time is up, to the latencies of all requests sent; some of them may be pending. */
function startAtConstantRate({ port, requests, milliseconds, perSecond }: ConstantRateJob, agent: Agent) {
  return new Promise<Promise<number>[]>((resolve) => {
    const latencies: Promise<number>[] = [];
    const began = performance.now();
    const timer = setInterval(() => {
      const elapsed = Math.min(performance.now() - began, milliseconds);
      const due = Math.floor((elapsed / 1000) * perSecond);
      while (latencies.length < due)
        latencies.push(send(requests[latencies.length % requests.length]!, port, agent));
      if (elapsed < milliseconds) return;
      clearInterval(timer);
      resolve(latencies);
    }, TICK_MS);
  });
}

/** Resolves to the milliseconds until the end of the response. Any other than 2xx ends the job. */
function send({ method, path, headers, body }: BenchRequest, port: number, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sentAt = performance.now();
    const options = { agent, host: '127.0.0.1', port, method, path, headers };
    const request = sendRequest(options, (response) => {
      const { statusCode = 0 } = response;
      if (statusCode < 200 || statusCode > 299) reject(new Error(`The server responded with ${statusCode}`));
      response.resume().on('end', () => resolve(performance.now() - sentAt));
    });
    request.on('error', reject).end(body);
  });
}

serveJobs(run);
