/** Decides whether a request is processed at all, before its body is read. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../lib/clock.ts';
import { Problem, type ProblemCode } from '../../problems/problem.ts';
import type { LimitedRequest, Limiter } from '../rate-limits/limiter.ts';
import { deprecationHeaders, rejectAfterSunset } from '../deprecation/deprecation.ts';
import { acceptsJson } from '../problems/negotiation.ts';
import type { Caller, Route } from '../../http/route.ts';
import { type Authenticators, authenticate, isAdminAttempt } from './authentication.ts';
import { authenticateConsole, type FindConsoleSession, isConsoleRequest } from './console-request.ts';
import { checkContent } from '../json-bodies/content.ts';
import { rejectCrossSite } from './cross-site.ts';

export interface AdmissionOptions extends Authenticators {
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Origins whose pages may send requests from other sites. */
  readonly corsOrigins: readonly string[];
  /** Null: the console is off, and its cookie is ignored. */
  readonly findConsoleSession: FindConsoleSession | null;
}

export interface Admission {
  readonly route: Route;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Checks deprecation, rate limits, the site of the page that sent the request, credential, access, and media types, in
 * this order. Synchronous for anonymous requests that are counted in memory, so that they need not wait for another
 * turn of the event loop.
 * @throws Problem gone, rate_limited_…, cross_site_request, unauthorized, console_request_rejected, insufficient_scope,
 * forbidden, not_acceptable, payload_too_large, unsupported_media_type
 */
export function admit(
  { route, request, reply }: Admission,
  options: AdmissionOptions,
): Promise<void> | undefined {
  if (route.deprecation !== undefined) {
    reply.headers(deprecationHeaders(route.deprecation, options.publicUrl));
    rejectAfterSunset(route.deprecation, options.clock);
  }
  const limited = limitedRequest({ route, request }, options);
  const counting = options.limiter.beforeAuthentication(limited, reply);
  if (counting !== undefined || needsAuthentication(limited)) {
    return admitCaller({ route, request, reply, limited, counting }, options);
  }
  rejectCrossSite(request.method, request.headers, options.corsOrigins);
  checkAccess(route, request);
  return undefined;
}

export type CountingOptions = Pick<AdmissionOptions, 'limiter' | 'findConsoleSession'>;

/** Counts a request that is not going to be admitted. @throws Problem rate_limited_… */
export function countUnauthenticated(
  { route, request, reply }: Admission,
  options: CountingOptions,
): Promise<void> | undefined {
  return options.limiter.beforeAuthentication(limitedRequest({ route, request }, options), reply);
}

function limitedRequest(
  { route, request: { clientIp, headers } }: Pick<Admission, 'route' | 'request'>,
  { findConsoleSession }: CountingOptions,
): LimitedRequest {
  const isOfConsole = findConsoleSession !== null && isConsoleRequest(route, headers);
  return { route, clientIp, hasCredential: isOfConsole || headers.authorization !== undefined };
}

function needsAuthentication({ route: { access }, hasCredential }: LimitedRequest): boolean {
  return access !== 'public' && (access !== 'optional' || hasCredential);
}

interface CallerAdmission extends Admission {
  readonly limited: LimitedRequest;
  /** Pending counts of the limits before authentication, where they are counted in the database. */
  readonly counting: Promise<void> | undefined;
}

async function admitCaller(
  { route, request, reply, limited, counting }: CallerAdmission,
  options: AdmissionOptions,
): Promise<void> {
  const { limiter } = options;
  if (counting !== undefined) await counting;
  rejectCrossSite(request.method, request.headers, options.corsOrigins);
  try {
    request.caller = await callerOf(route, request, options);
  } catch (error) {
    if (limited.hasCredential && error instanceof Problem && WRONG_CREDENTIAL.includes(error.code)) {
      const { authorization } = request.headers;
      // The 256 random bits of a session are not guessed, and one that has ended must not lock the administrator out.
      const isAttempt = authorization !== undefined && isAdminAttempt(route, authorization);
      await limiter.credentialRejected(limited, isAttempt ? 'admin' : 'user', reply);
    }
    throw error;
  }
  const pending = limiter.afterAuthentication(limited, request.caller, reply);
  if (pending !== undefined) await pending;
  checkAccess(route, request);
}

const WRONG_CREDENTIAL: readonly ProblemCode[] = ['unauthorized', 'console_request_rejected'];

function callerOf(route: Route, { headers }: FastifyRequest, options: AdmissionOptions): Promise<Caller> {
  const { findConsoleSession, publicUrl } = options;
  if (findConsoleSession === null || !isConsoleRequest(route, headers))
    return authenticate(route, headers.authorization, options);
  return authenticateConsole(route, headers, { findConsoleSession, publicUrl });
}

/** The checks that need the caller, or that only an admitted caller may learn about. */
function checkAccess(route: Route, { caller, headers }: FastifyRequest): void {
  if (route.isOpenTo?.(caller) === false) throw new Problem('forbidden');
  if (route.mediaType === undefined && !acceptsJson(headers.accept)) throw new Problem('not_acceptable');
  checkContent(headers, route);
}
