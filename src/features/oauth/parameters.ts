/** Parameters of requests of OAuth 2.0. */
import { readScopes } from '../people/tokens/scopes.ts';

/** Texts, each at most once. Those without a value are absent (RFC 6749 section 3.1). */
export type Parameters = Readonly<Record<string, string | undefined>>;

/** Returns the parameters of a query or a form. One that occurs more than once is absent. */
export function readParameters(given: unknown): Parameters {
  const entries = Object.entries((given ?? {}) as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  );
}

/** Scopes of OpenID Connect. A request may ask for those of its application as well; others are ignored (section 3.1.2.1). */
export const OIDC_SCOPES = ['openid', 'profile', 'email', 'groups'] as const;

/**
 * Returns the requested scopes that the application may have, separated by spaces, and nothing else; without a request,
 * those of its settings (RFC 6749 section 3.3).
 */
export function selectScopes(requested: string | undefined, { scopes }: { readonly scopes: string }): string {
  if (requested === undefined) return scopes;
  const names = requested.split(' ');
  return [...readScopes(scopes), ...OIDC_SCOPES].filter((scope) => names.includes(scope)).join(' ');
}
