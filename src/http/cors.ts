/**
 * Cross-origin requests (WHATWG Fetch): off unless origins are listed; the origin is compared as a whole and
 * echoed. Tokens travel in a header and there are no cookies, so credentials mode is never allowed.
 */
const EXPOSED = [
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
].join(', ');

/** Names and values in turn for a response to this origin; empty when the origin is not listed. */
export function corsHeaders(origins: readonly string[], origin: string | undefined): string[] {
  if (origin === undefined || !origins.includes(origin)) return [];
  return ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', EXPOSED];
}

/** What a preflight is answered besides. */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match, X-Request-Id',
    'access-control-max-age': '600',
  };
}
