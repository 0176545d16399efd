/** Rejection of requests while the event loop is delayed. */
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { Problem } from '../../problems/problem.ts';

const SAMPLE_MS = 500;

export interface LoadSheddingOptions {
  /** Mean delay of the event loop above which requests are rejected with 503; null: never. */
  readonly loadSheddingMs: number | null;
}

/**
 * To be registered after the anonymous rate limits, which count rejected requests, too. Errors: Problem
 * service_unavailable.
 */
export const loadShedding = fp<LoadSheddingOptions>(async (app, { loadSheddingMs }) => {
  if (loadSheddingMs === null) return;
  await app.register(underPressure, {
    maxEventLoopDelay: loadSheddingMs,
    sampleInterval: SAMPLE_MS,
    pressureHandler: () => {
      throw overloaded();
    },
  });
});

/** For plugins that do costly work before the hook. @throws Problem service_unavailable */
export function rejectIfOverloaded(app: FastifyInstance): void {
  if (app.hasDecorator('isUnderPressure') && app.isUnderPressure()) throw overloaded();
}

function overloaded(): Problem {
  return new Problem('service_unavailable', { retryAfterSeconds: 1 });
}
