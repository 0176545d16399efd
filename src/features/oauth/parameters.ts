/** Parameters of requests of OAuth 2.0: texts, each at most once. Those without a value are absent (RFC 6749 section 3.1). */
export type Parameters = Readonly<Record<string, string | undefined>>;

/** Returns the parameters of a query or a form. One that occurs more than once is absent. */
export function readParameters(given: unknown): Parameters {
  const entries = Object.entries((given ?? {}) as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  );
}
