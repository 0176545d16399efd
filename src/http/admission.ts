/** Whether a request comes in at all: decided before a byte of its body is read. */

import type { Clock } from '../lib/clock.ts';
import { Problem } from '../problems.ts';
import type { RequestContext } from './exchange.ts';
import type { LimitHeaderSink } from './rate-limits/limit-headers.ts';
import type { Limiter } from './rate-limits/limiter.ts';
import { authenticate, type FindToken, type IsAdmin } from './request/authentication.ts';
import { checkContent } from './request/content.ts';
import { type ApiResponse, headerLines } from './response/default-headers.ts';
import { deprecationHeaders, rejectAfterSunset } from './response/deprecation.ts';
import { acceptsJson } from './response/negotiation.ts';
import type { Route } from './route.ts';

export interface AdmissionOptions {
  readonly isAdmin: IsAdmin;
  readonly findToken: FindToken;
  readonly limiter: Limiter;
  readonly isOverloaded: () => boolean;
  readonly clock: Clock;
  readonly publicUrl: string;
}

/**
 * Is the route still there, is there room, who calls and how often, is it open to them, and do we speak the same
 * media types. Most strangers are counted in memory and known at once: they do not wait for the next turn of the
 * loop. @throws Problem gone, service_unavailable, rate_limited_…, unauthorized, insufficient_scope, forbidden,
 * not_acceptable, payload_too_large, unsupported_media_type
 */
export function admit(
  route: Route,
  options: AdmissionOptions,
  exchange: RequestContext,
): Promise<void> | undefined {
  const { headers, address, response } = exchange;
  rejectIfOverloaded(route, options, response);
  const hasCredential = headers.authorization !== undefined;
  const limited = { route, clientIp: address, hasCredential };
  const counted = options.limiter.beforeAuthentication(limited, limitHeaderSink(response));
  if (counted !== undefined || !isAnonymousAllowed(route, hasCredential)) {
    return recognise(route, options, exchange, counted);
  }
  checkOpen(route, exchange);
  return undefined;
}

function limitHeaderSink(response: ApiResponse): LimitHeaderSink {
  return {
    setLimitHeaders: (headers) => {
      response.extraLines += headerLines(headers);
    },
  };
}

function rejectIfOverloaded(route: Route, options: AdmissionOptions, response: ApiResponse): void {
  if (route.deprecation !== undefined) {
    response.extraLines += headerLines(deprecationHeaders(route.deprecation, options.publicUrl));
    rejectAfterSunset(route.deprecation, options.clock);
  }
  if (options.isOverloaded() && !route.isProbe) {
    throw new Problem('service_unavailable', { headers: { 'retry-after': '1' } });
  }
}

/** Whether there is nobody to be recognised, and no need to be. */
function isAnonymousAllowed({ access }: Route, hasCredential: boolean): boolean {
  return access === 'public' || (access === 'optional' && !hasCredential);
}

/** `counted`: the limits that come before, where that takes time. */
async function recognise(
  route: Route,
  { limiter, isAdmin, findToken }: AdmissionOptions,
  exchange: RequestContext,
  counted: Promise<void> | undefined,
): Promise<void> {
  const { headers, address, response } = exchange;
  const { authorization } = headers;
  const limited = { route, clientIp: address, hasCredential: authorization !== undefined };
  const sink = limitHeaderSink(response);
  if (counted !== undefined) await counted;
  try {
    exchange.caller = await authenticate(route, authorization, isAdmin, findToken);
  } catch (error) {
    const isFailedAttempt =
      error instanceof Problem && error.code === 'unauthorized' && authorization !== undefined;
    if (isFailedAttempt) await limiter.credentialRejected(limited, sink);
    throw error;
  }
  const pending = limiter.afterAuthentication(limited, exchange.caller, sink);
  if (pending !== undefined) await pending;
  checkOpen(route, exchange);
}

/** What is left once it is known who calls. */
function checkOpen(route: Route, { caller, headers }: RequestContext): void {
  if (route.isOpenTo?.(caller) === false) throw new Problem('forbidden');
  if (route.mediaType === undefined && !acceptsJson(headers.accept)) throw new Problem('not_acceptable');
  checkContent(headers);
}
