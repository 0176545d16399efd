/** Rejection of requests while they delay the event loop. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { Problem } from '../problems/problem.ts';

declare module 'fastify' {
  interface FastifyInstance {
    isOverloaded(): boolean;
  }
}

const SAMPLE_MS = 500;
const RESOLUTION_MS = 10;
/** A delay that lasts shorter, such as that of a start, is over before it is known. */
const MIN_SAMPLES = 2;
/** Fewer requests do not delay each other for long: then another program, or the machine, causes the delay. */
const MIN_REQUESTS = 16;

/**
 * Rejects requests while they delay the event loop. To be registered after the anonymous rate limits, which count
 * rejected requests, too. Errors: Problem service_unavailable.
 */
export const loadShedding = fp<{ readonly loadSheddingMs: number | null }>(
  async (app, { loadSheddingMs }) => {
    if (loadSheddingMs === null) return;
    const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    const addSample = createOverloadRule(loadSheddingMs);
    let requests = 0;
    let isOverloaded = false;
    const readSample = () => {
      isOverloaded = addSample(delays.mean / 1e6 - RESOLUTION_MS, requests);
      delays.reset();
      requests = 0;
    };
    delays.enable();
    const timer = setInterval(readSample, SAMPLE_MS).unref();
    app.decorate('isOverloaded', () => isOverloaded);
    app.addHook('onRequest', (_request, _reply, done) => {
      rejectIfOverloaded(app);
      done();
    });
    // Also those that a plugin before this one has rejected.
    app.addHook('onResponse', (_request, _reply, done) => {
      requests += 1;
      done();
    });
    app.addHook('onClose', async () => {
      clearInterval(timer);
      delays.disable();
    });
  },
);

/** Creates the function that returns, for each sample of delay and requests, whether requests are rejected from then. */
export function createOverloadRule(limitMs: number): (delayMs: number, requests: number) => boolean {
  let samples = 0;
  return (delayMs, requests) => {
    samples = delayMs > limitMs && requests >= MIN_REQUESTS ? samples + 1 : 0;
    return samples >= MIN_SAMPLES;
  };
}

/** For plugins that do costly work before the hook. @throws Problem service_unavailable */
export function rejectIfOverloaded(app: FastifyInstance): void {
  if (app.hasDecorator('isOverloaded') && app.isOverloaded())
    throw new Problem('service_unavailable', { retryAfterSeconds: 1 });
}
