/**
 * Sends requests at a constant rate: by the clock, not after the previous response, so that a pause of the server
 * delays every request that falls into it. autocannon's `overallRate` is no substitute: it sends the requests of
 * each second at once at the beginning of that second.
 */
import { Agent, request as sendRequest } from 'node:http';
import type { Job } from './load.ts';
import type { BenchRequest } from './requests.ts';

export interface ConstantRateJob extends Job {
  readonly perSecond: number;
}

export interface TimedResponse {
  /** 0 when the connection failed. */
  readonly status: number;
  /** Until the end of the response. */
  readonly milliseconds: number;
}

const TICK_MS = 1;

/** Resolves to the responses to all requests, in the order in which they were sent. */
export async function sendAtConstantRate(job: ConstantRateJob): Promise<TimedResponse[]> {
  // Requests beyond the number of connections wait in the agent, and their wait counts.
  const agent = new Agent({ keepAlive: true, maxSockets: job.connections });
  try {
    return await Promise.all(await startAtConstantRate(job, agent));
  } finally {
    agent.destroy();
  }
}

/** Resolves when the time is up, to the responses to all requests sent; some of them may be pending. */
function startAtConstantRate({ port, requests, milliseconds, perSecond }: ConstantRateJob, agent: Agent) {
  return new Promise<Promise<TimedResponse>[]>((resolve) => {
    const responses: Promise<TimedResponse>[] = [];
    const began = performance.now();
    const timer = setInterval(() => {
      const elapsed = Math.min(performance.now() - began, milliseconds);
      const due = Math.floor((elapsed / 1000) * perSecond);
      while (responses.length < due)
        responses.push(send(requests[responses.length % requests.length]!, port, agent));
      if (elapsed < milliseconds) return;
      clearInterval(timer);
      resolve(responses);
    }, TICK_MS);
  });
}

function send(
  { method, path, headers, body }: BenchRequest,
  port: number,
  agent: Agent,
): Promise<TimedResponse> {
  return new Promise((resolve) => {
    const sentAt = performance.now();
    const settle = (status: number) => resolve({ status, milliseconds: performance.now() - sentAt });
    const options = { agent, host: '127.0.0.1', port, method, path, headers };
    const request = sendRequest(options, (response) => {
      response.resume().on('end', () => settle(response.statusCode ?? 0));
    });
    request.on('error', () => settle(0)).end(body);
  });
}
