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
export function admit(
  route: Route,
  options: AdmissionOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const { extraHeaders } = reply.raw as ApiResponse;
  try {
    checkRoom(route, options, extraHeaders);
    // Most strangers are counted in memory and known at once: they do not wait for the next turn of the loop.
    const caller = callerWithinLimits(route, options, request, extraHeaders);
    if (caller instanceof Promise) {
      caller.then((known) => enter(route, request, known)).then(() => done(), done);
      return;
    }
    enter(route, request, caller);
  } catch (error) {
    done(error as Error);
    return;
  }
  done();
}

function enter(route: Route, request: FastifyRequest, caller: Caller): void {
  request.caller = caller;
  const { headers } = request;
  if (route.mediaType === undefined && !acceptsJson(headers.accept)) throw new Problem('not_acceptable');
  checkContent(headers);
}

function checkRoom(route: Route, options: AdmissionOptions, headers: string[]): void {
  if (route.retirement !== undefined) {
    headers.push(...retirementHeaders(route.retirement, options.publicUrl));
    refuseRetired(route.retirement, options.clock);
  }
  if (options.isOverloaded() && !route.isProbe) {
    throw new Problem('service_unavailable', { headers: { 'retry-after': '1' } });
  }
}

function callerWithinLimits(
  route: Route,
  options: AdmissionOptions,
  { headers: { authorization }, ip }: FastifyRequest,
  headers: string[],
): Caller | Promise<Caller> {
  const hasCredential = authorization !== undefined;
  const counted = options.limiter.beforeAuthentication(route, ip, hasCredential, headers);
  if (counted === undefined && isStranger(route, hasCredential)) return ANONYMOUS;
  return knownCaller(route, options, { authorization, ip, counted, headers });
}

const ANONYMOUS: Caller = { kind: 'anonymous' };

/** Whether there is nobody to be recognised, and no need to be. */
function isStranger({ access }: Route, hasCredential: boolean): boolean {
  return access === 'public' || (access === 'optional' && !hasCredential);
}

interface Arriving {
  readonly authorization: string | undefined;
  readonly ip: string;
  /** The limits that are counted before, where that takes time. */
  readonly counted: Promise<void> | undefined;
  readonly headers: string[];
}

async function knownCaller(
  route: Route,
  { limiter, isAdmin, findToken }: AdmissionOptions,
  { authorization, ip, counted, headers }: Arriving,
): Promise<Caller> {
  if (counted !== undefined) await counted;
  let caller: Caller;
  try {
    caller = await authenticate(route, authorization, isAdmin, findToken);
  } catch (error) {
    const isGuess = error instanceof Problem && error.code === 'unauthorized' && authorization !== undefined;
    if (isGuess) await limiter.credentialRefused(route, ip, headers);
    throw error;
  }
  const pending = limiter.afterAuthentication(route, caller, ip, headers);
  if (pending !== undefined) await pending;
  return caller;
}
