/** Building blocks of the OpenAPI document, and header fields of responses, described once in `components.headers`. */
export type Json = Readonly<Record<string, unknown>>;

export function componentRef(kind: 'schemas' | 'responses' | 'headers' | 'parameters', name: string) {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Keywords that `describeResponse` and `extendSchema` add. */
const DESCRIPTIVE: ReadonlySet<string> = new Set(['x-alternatives', 'x-examples', 'x-extends', 'x-oneOf']);

/** Returns a schema without the keywords of this service, which begin with `x-`. */
export function withoutOwnKeywords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutOwnKeywords);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([name]) => !name.startsWith('x-') || DESCRIPTIVE.has(name));
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name === 'x-oneOf' ? 'oneOf' : name,
      name === 'x-examples' ? value : withoutOwnKeywords(value),
    ]),
  );
}

export function mapValues(object: object, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

const NOT_COUNTED =
  'Missing where the request is not counted: with the administrator credential, on health probes, and while limits are off.';

const DESCRIPTIONS = {
  'X-Request-Id': 'Id of the request, as it appears in the log of the service.',
  'RateLimit-Policy': `The limits that the request counts against: \`q\` requests in \`w\` seconds. ${NOT_COUNTED}`,
  RateLimit: 'The state of these limits: `r` requests remain, the next one is added in `t` seconds.',
  'X-RateLimit-Limit': 'The limit with the fewest remaining requests.',
  'X-RateLimit-Remaining': 'Remaining requests of that limit.',
  'X-RateLimit-Reset': 'Time at which that limit is fully restored, in seconds since 1970.',
  'Idempotent-Replayed': '`true` when this is the stored response to an earlier request with the same key.',
  'WWW-Authenticate': 'The credential that is required (RFC 6750).',
  Connection: '`close`: the service does not read the rest of the request.',
  Accept: 'The media type that the service reads, if another one was sent.',
  'Accept-Encoding': '`identity`, if the body was encoded.',
  'Retry-After': 'Seconds to wait before a retry. With status 409 only for `idempotency_key_in_use`.',
  Link: 'Documentation of the `Idempotency-Key` header (`rel="describedby"`).',
};

export type SharedHeader = keyof typeof DESCRIPTIONS;

export const RATE_LIMIT_HEADERS: readonly SharedHeader[] = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** Those of all operations. */
export const COMMON_HEADERS: readonly SharedHeader[] = ['X-Request-Id', ...RATE_LIMIT_HEADERS];

export const headerComponents: Json = mapValues(DESCRIPTIONS, (description) => ({
  description,
  schema: { type: 'string' },
}));

export function headerRefs(names: readonly SharedHeader[]): Json {
  return Object.fromEntries(names.map((name) => [name, componentRef('headers', name)]));
}
