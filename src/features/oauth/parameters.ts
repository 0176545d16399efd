/** Parameters of requests of OAuth 2.0: texts, each at most once. Those without a value are absent (RFC 6749 section 3.1). */
export type Parameters = Readonly<Record<string, string | undefined>>;

/** Returns the parameters of a query or a form, and whether one of them occurs more than once. */
export function readParameters(given: unknown): {
  readonly values: Parameters;
  readonly hasDuplicates: boolean;
} {
  const entries = Object.entries((given ?? {}) as Readonly<Record<string, unknown>>);
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of entries) if (typeof value === 'string' && value !== '') values[name] = value;
  return { values, hasDuplicates: entries.some(([, value]) => Array.isArray(value)) };
}
