/**
 * Load generator with a constant rate: requests are sent by the clock, not after the previous response, so that a
 * pause of the server delays every request that falls into it. autocannon's `overallRate` is no substitute: it
 * sends the requests of each second at once at the beginning of that second.
 */
import { Agent, request as sendRequest } from 'node:http';
import { type Outcome, serveJobs, startClock } from './jobs.ts';
import type { Job } from './load.ts';
import type { BenchRequest } from './requests.ts';

export interface SteadyJob extends Job {
  readonly perSecond: number;
}

const TICK_MS = 1;

async function run(job: SteadyJob): Promise<Outcome> {
  // Requests beyond the number of connections wait in the agent, and their wait counts.
  const agent = new Agent({ keepAlive: true, maxSockets: job.connections });
  try {
    const stopClock = startClock();
    const latencies = await Promise.all(await sendByTheClock(job, agent));
    return stopClock(Float64Array.from(latencies));
  } finally {
    agent.destroy();
  }
}

/** Resolves when the time is up, to the latencies of all requests sent; some of them may be pending. */
function sendByTheClock({ port, requests, milliseconds, perSecond }: SteadyJob, agent: Agent) {
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

/** Returns the milliseconds until the end of the response. */
function send({ method, path, headers, body }: BenchRequest, port: number, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sentAt = performance.now();
    const options = { agent, host: '127.0.0.1', port, method, path, headers };
    const request = sendRequest(options, (response) => {
      const { statusCode = 0 } = response;
      if (statusCode >= 300) reject(new Error(`The server responded with ${statusCode}`));
      response.resume().on('end', () => resolve(performance.now() - sentAt));
    });
    request.on('error', reject).end(body);
  });
}

serveJobs(run);
