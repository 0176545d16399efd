/**
 * Cross-origin requests (WHATWG Fetch): off unless origins are listed. The origin is compared as a whole and echoed.
 * Tokens are sent in a header, and the cookie of the console is for its own origin: credentials mode is never allowed.
 */
import type { FastifyCorsOptions } from '@fastify/cors';

const EXPOSED_HEADERS = [
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
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
  'traceparent',
  'X-Request-Id',
];

/** Options of @fastify/cors. The server itself responds to preflights, because it knows the methods of each path. */
export function corsOptions(origins: readonly string[]): FastifyCorsOptions {
  return {
    origin: (origin, callback) => callback(null, isListedOrigin(origins, origin)),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 600,
    preflightContinue: true,
    strictPreflight: false,
  };
}

/** Returns the headers of a response to a listed origin, for responses that no plugin sees. */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
  };
}

export function isListedOrigin(origins: readonly string[], origin: string | undefined): origin is string {
  return origin !== undefined && origins.includes(origin);
}
