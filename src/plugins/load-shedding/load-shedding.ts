/** Rejection of requests while the event loop is delayed. */
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { Problem } from '../../problems/problem.ts';

const SAMPLE_MS = 500;

/**
 * To be registered after the anonymous rate limits, which count rejected requests, too. Errors: Problem
 * service_unavailable.
 */
export const loadShedding = fp<{ readonly loadSheddingMs: number | null }>(
  async (app, { loadSheddingMs }) => {
    if (loadSheddingMs === null) return;
    await app.register(underPressure, {
      maxEventLoopDelay: loadSheddingMs,
      sampleInterval: SAMPLE_MS,
      pressureHandler: () => {
        throw overloaded();
      },
    });
  },
);

/** For plugins that do costly work before the hook. @throws Problem service_unavailable */
export function rejectIfOverloaded(app: FastifyInstance): void {
  if (app.hasDecorator('isUnderPressure') && app.isUnderPressure()) throw overloaded();
}

function overloaded(): Problem {
  return new Problem('service_unavailable', { retryAfterSeconds: 1 });
}
