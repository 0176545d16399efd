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

/** Of a response to this origin; none when the origin is not listed. */
export function corsHeaders(origins: readonly string[], origin: string | undefined): Record<string, string> {
  if (!isListed(origins, origin)) return {};
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED };
}

export function isListed(origins: readonly string[], origin: string | undefined): origin is string {
  return origin !== undefined && origins.includes(origin);
}

/** What a preflight is answered besides. */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match, X-Request-Id',
    'access-control-max-age': '600',
  };
}
