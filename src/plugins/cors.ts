/** Cross-origin requests (WHATWG Fetch): off unless origins are listed, and in credentials mode for tokens of applications only. */
import type { IncomingHttpHeaders } from 'node:http';
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { Problem } from '../problems/problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the handler checks from which pages it accepts requests, or accepts them from any. */
    readonly checksOrigin?: true;
    /** Permits cross-origin requests of further origins by headers. */
    readonly allowOrigin?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  }
}

const EXPOSED_HEADERS = [
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Prefer',
  'traceparent',
  'X-Request-Id',
];

/** Sets the CORS headers. The routes of OPTIONS respond to preflights, because they know the methods of each path. */
export const crossOriginRequests = fp<{ readonly corsOrigins: readonly string[] }>(
  async (app, { corsOrigins }) => {
    if (corsOrigins.length > 0) await app.register(cors, createCorsOptions(corsOrigins));
    app.addHook('onRequest', (request, reply, done) => {
      const { allowOrigin } = request.routeConfig;
      if (allowOrigin === undefined) done();
      else allowOrigin(request, reply).then(() => done(), done);
    });
  },
);

const createCorsOptions = (corsOrigins: readonly string[]): FastifyCorsOptions => ({
  origin: (origin, callback) => callback(null, isListedOrigin(corsOrigins, origin)),
  // For paths that do not exist: others get their own methods from their OPTIONS route.
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: ALLOWED_HEADERS,
  exposedHeaders: EXPOSED_HEADERS,
  maxAge: 600,
  preflightContinue: true,
  strictPreflight: false,
});

/** Returns the headers of a response to a listed origin, for responses that no plugin sees. */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
  };
}

/** Returns the headers of a response to a preflight that permit every header that the page wants to send. */
export function allowRequestedHeaders({ 'access-control-request-headers': names }: IncomingHttpHeaders) {
  return names === undefined
    ? {}
    : { 'access-control-allow-headers': names, 'access-control-max-age': '600' };
}

/** Lets every page read a public document, whatever headers it sends. */
export async function allowEveryOrigin({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!reply.hasHeader('access-control-allow-origin')) reply.header('access-control-allow-origin', '*');
  reply.headers(allowRequestedHeaders(headers));
}

export function isListedOrigin(origins: readonly string[], origin: string | undefined): origin is string {
  return origin !== undefined && origins.includes(origin);
}

/** Methods that change nothing (RFC 9110 section 9.2.1). */
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

export interface CrossSiteOptions {
  /** Origins whose pages may send requests from other sites. */
  readonly corsOrigins: readonly string[];
}

/**
 * Rejects unsafe requests of other sites, also those without CORS, such as forms. Errors: Problem cross_site_request.
 */
export const crossSiteRequests = fp<CrossSiteOptions>(async (app, { corsOrigins }) => {
  app.addHook('onRequest', ({ method, headers, routeConfig }, _reply, done) => {
    const isRejected = !routeConfig.checksOrigin && isCrossSite(method, headers, corsOrigins);
    done(isRejected ? new Problem('cross_site_request') : undefined);
  });
});

/** Whether the request could change something, and a page of an origin that is not listed has sent it. */
export function isCrossSite(
  method: string,
  { origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  corsOrigins: readonly string[],
): boolean {
  return site === 'cross-site' && !SAFE_METHODS.includes(method) && !isListedOrigin(corsOrigins, origin);
}
