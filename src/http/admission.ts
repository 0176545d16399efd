/** Whether a request comes in at all: decided before a byte of its body is read. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problems.ts';
import type { Clock } from '../tools/clock.ts';
import type { ApiResponse } from './api-response.ts';
import { authenticate, type FindToken, type IsAdmin } from './authentication.ts';
import { acceptsJson } from './negotiation.ts';
import type { Limiter } from './rate-limits/limiter.ts';
import { checkContent } from './request-body.ts';
import { refuseRetired, retirementHeaders } from './retirement.ts';
import type { Caller, Route } from './route.ts';

export interface AdmissionOptions {
  readonly isAdmin: IsAdmin;
  readonly findToken: FindToken;
  readonly limiter: Limiter;
  readonly isOverloaded: () => boolean;
  readonly clock: Clock;
  readonly publicUrl: string;
}

/** Is the route still there, is there room, who calls and how often, and do we speak the same media types. */
export async function admit(
  route: Route,
  options: AdmissionOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { extraHeaders } = reply.raw as ApiResponse;
  if (route.retirement !== undefined) {
    extraHeaders.push(...retirementHeaders(route.retirement, options.publicUrl));
    refuseRetired(route.retirement, options.clock);
  }
  if (options.isOverloaded() && !route.isProbe) throw overloaded();
  request.caller = await callerWithinLimits(route, options, request, extraHeaders);
  const { headers } = request;
  if (route.mediaType === undefined && !acceptsJson(headers.accept)) throw new Problem('not_acceptable');
  checkContent(headers);
}

function overloaded(): Problem {
  return new Problem('service_unavailable', { headers: { 'retry-after': '1' } });
}

async function callerWithinLimits(
  route: Route,
  { limiter, isAdmin, findToken }: AdmissionOptions,
  { headers: { authorization }, ip }: FastifyRequest,
  headers: string[],
): Promise<Caller> {
  await limiter.beforeAuthentication(route, ip, authorization !== undefined, headers);
  const caller = await authenticate(route, authorization, isAdmin, findToken).catch(async (error) => {
    const isGuess = error instanceof Problem && error.code === 'unauthorized' && authorization !== undefined;
    if (isGuess) await limiter.credentialRefused(route, ip, headers);
    throw error;
  });
  await limiter.afterAuthentication(route, caller, ip, headers);
  return caller;
}
