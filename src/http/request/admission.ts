/** Decides whether a request is processed at all, before its body is read. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../lib/clock.ts';
import { Problem } from '../../problems.ts';
import type { LimitedRequest, Limiter } from '../rate-limits/limiter.ts';
import { deprecationHeaders, rejectAfterSunset } from '../response/deprecation.ts';
import { acceptsJson } from '../response/negotiation.ts';
import type { Route } from '../route.ts';
import { type Authenticators, authenticate, isAdminAttempt } from './authentication.ts';
import { checkContent } from './content.ts';
import { rejectCrossSite } from './cross-site.ts';

export interface AdmissionOptions extends Authenticators {
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Origins whose pages may send requests from other sites. */
  readonly corsOrigins: readonly string[];
}

export interface Admission {
  readonly route: Route;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Checks deprecation, rate limits, the site of the page that sent the request, credential, access, and media types, in this order. Synchronous for anonymous
 * requests that are counted in memory, so that they need not wait for another turn of the event loop.
 * @throws Problem gone, rate_limited_…, cross_site_request, unauthorized, insufficient_scope, forbidden, not_acceptable,
 * payload_too_large, unsupported_media_type
 */
export function admit(
  { route, request, reply }: Admission,
  options: AdmissionOptions,
): Promise<void> | undefined {
  if (route.deprecation !== undefined) {
    reply.headers(deprecationHeaders(route.deprecation, options.publicUrl));
    rejectAfterSunset(route.deprecation, options.clock);
  }
  const limited = limitedRequest(route, request);
  const counting = options.limiter.beforeAuthentication(limited, reply);
  if (counting !== undefined || needsAuthentication(limited)) {
    return admitCaller({ route, request, reply, limited, counting }, options);
  }
  rejectCrossSite(request.method, request.headers, options.corsOrigins);
  checkAccess(route, request);
  return undefined;
}

/** Counts a request that is not going to be admitted. @throws Problem rate_limited_… */
export function countUnauthenticated(
  { route, request, reply }: Admission,
  limiter: Limiter,
): Promise<void> | undefined {
  return limiter.beforeAuthentication(limitedRequest(route, request), reply);
}

function limitedRequest(route: Route, { clientIp, headers }: FastifyRequest): LimitedRequest {
  return { route, clientIp, hasCredential: headers.authorization !== undefined };
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
  const { authorization } = request.headers;
  try {
    request.caller = await authenticate(route, authorization, options);
  } catch (error) {
    const isWrongCredential = error instanceof Problem && error.code === 'unauthorized';
    if (isWrongCredential && authorization !== undefined) {
      const rejected = isAdminAttempt(route, authorization) ? 'admin' : 'user';
      await limiter.credentialRejected(limited, rejected, reply);
    }
    throw error;
  }
  const pending = limiter.afterAuthentication(limited, request.caller, reply);
  if (pending !== undefined) await pending;
  checkAccess(route, request);
}

/** The checks that need the caller, or that only an admitted caller may learn about. */
function checkAccess(route: Route, { caller, headers }: FastifyRequest): void {
  if (route.isOpenTo?.(caller) === false) throw new Problem('forbidden');
  if (route.mediaType === undefined && !acceptsJson(headers.accept)) throw new Problem('not_acceptable');
  checkContent(headers, route);
}
