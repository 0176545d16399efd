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

export interface LoadSheddingOptions {
  /** Null if no requests are rejected. */
  readonly loadSheddingMs: number | null;
  /** Replacement of the measurement for tests. */
  readonly isOverloaded?: (() => boolean) | undefined;
}

/**
 * Rejects requests while they delay the event loop. To be registered after the anonymous rate limits, which count
 * rejected requests, too. Errors: Problem service_unavailable.
 */
export const loadShedding = fp<LoadSheddingOptions>(async (app, { loadSheddingMs, isOverloaded }) => {
  if (loadSheddingMs === null) return;
  app.decorate('isOverloaded', isOverloaded ?? measureOverload(app, loadSheddingMs));
  app.addHook('onRequest', (_request, _reply, done) => {
    rejectIfOverloaded(app);
    done();
  });
});

/** Returns the function that says whether requests delay the event loop for longer than the limit. */
function measureOverload(app: FastifyInstance, limitMs: number): () => boolean {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const addSample = createOverloadRule(limitMs);
  let requests = 0;
  let isOverloaded = false;
  const readSample = () => {
    isOverloaded = addSample(delays.mean / 1e6 - RESOLUTION_MS, requests);
    delays.reset();
    requests = 0;
  };
  delays.enable();
  const timer = setInterval(readSample, SAMPLE_MS).unref();
  // Also those that a plugin before this one has rejected.
  app.addHook('onResponse', (_request, _reply, done) => {
    requests += 1;
    done();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    delays.disable();
  });
  return () => isOverloaded;
}

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
