/** Parameters of requests of OAuth 2.0. */
import type { ApplicationRow } from '../applications/application.ts';
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

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
export const GRANT_TYPES = ['authorization_code', 'refresh_token', DEVICE_GRANT] as const;

/** Scopes of OpenID Connect. A request may ask for those of its application as well; others are ignored (section 3.1.2.1). */
export const OIDC_SCOPES = ['openid', 'profile', 'email', 'groups'] as const;
/** Requests a refresh token (OpenID Connect Core 1.0 section 11); the setting of the application replaces the consent. */
export const OFFLINE_ACCESS = 'offline_access';

/**
 * Returns the requested scopes that the application may have, separated by spaces, and nothing else; without a request,
 * those of its settings (RFC 6749 section 3.3).
 */
export function selectScopes(
  requested: string | undefined,
  { scopes, refresh }: Pick<ApplicationRow, 'scopes' | 'refresh'>,
): string {
  if (requested === undefined) return scopes;
  const names = requested.split(' ');
  const offline = refresh === 1 ? [OFFLINE_ACCESS] : [];
  const permitted = [...readScopes(scopes), ...OIDC_SCOPES, ...offline];
  return permitted.filter((scope) => names.includes(scope)).join(' ');
}
