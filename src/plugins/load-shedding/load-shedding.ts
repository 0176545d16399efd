/** Rejection of requests while the event loop is late. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../problems/problem.ts';
import { type CountingOptions, countUnauthenticated } from '../access/admission.ts';

/**
 * Returns the `pressureHandler` of @fastify/under-pressure, which admits health checks only. Requests are counted
 * under the limits that need no authentication, because a flood would otherwise stay below its limit by being
 * rejected. The handler throws Problem service_unavailable, rate_limited_…
 */
export function createPressureHandler(options: CountingOptions) {
  return (request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined => {
    const { route } = request.routeOptions.config;
    if (route?.isProbe) return undefined;
    const counting = route && countUnauthenticated({ route, request, reply }, options);
    if (counting !== undefined) return counting.then(reject);
    return reject();
  };
}

function reject(): never {
  throw new Problem('service_unavailable', { retryAfterSeconds: 1 });
}
