/** Claims about a person (OpenID Connect Core 1.0 section 5.4). */
import type { UserRow } from '../users/records/queries.ts';

/** Scopes of OpenID Connect that a request may ask for; others are ignored (section 3.1.2.1). */
export const OIDC_SCOPES = ['openid', 'profile', 'email'] as const;

/** Returns those of the requested scopes that are known, separated by spaces. */
export function selectScopes(requested: string | undefined): string {
  const names = requested?.split(' ') ?? [];
  return OIDC_SCOPES.filter((scope) => names.includes(scope)).join(' ');
}

/** Returns the claims that the scopes permit. */
export function getClaims({ id, name, email, email_verified_at }: UserRow, scopes: readonly string[]) {
  const hasEmail = scopes.includes('email') && email !== null;
  return {
    sub: id,
    ...(scopes.includes('profile') && name !== null ? { name } : {}),
    ...(hasEmail ? { email, email_verified: email_verified_at !== null } : {}),
  };
}
