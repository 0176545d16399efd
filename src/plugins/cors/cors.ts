/**
 * Cross-origin requests (WHATWG Fetch): off unless origins are listed. The origin is compared as a whole and echoed.
 * Tokens are sent in a header, and the cookie of the console is for its own origin: credentials mode is never allowed.
 */
import cors from '@fastify/cors';
import fp from 'fastify-plugin';

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
  'traceparent',
  'X-Request-Id',
];

export interface CorsOptions {
  /** Compared as a whole. */
  readonly corsOrigins: readonly string[];
}

/** Sets the CORS headers. The routes of OPTIONS respond to preflights, because they know the methods of each path. */
export const crossOriginRequests = fp<CorsOptions>(async (app, { corsOrigins }) => {
  if (corsOrigins.length === 0) return;
  await app.register(cors, {
    origin: (origin, callback) => callback(null, isListedOrigin(corsOrigins, origin)),
    // For paths that do not exist: others get their own methods from their OPTIONS route.
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 600,
    preflightContinue: true,
    strictPreflight: false,
  });
});

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
