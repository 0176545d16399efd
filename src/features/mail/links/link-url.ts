import type { LinkKind } from './queries.ts';

/** Paths of the pages that complete a step; the token is their last segment. */
export const LINK_PATHS: Readonly<Record<LinkKind, string>> = {
  reset_password: '/account/reset-password/',
  claim_account: '/account/claim/',
  verify_email: '/account/verify-email/',
  change_email: '/account/change-email/',
};

/** Returns the URL of a link. `baseUrl` is a setting, never the Host header, which the sender of a request chooses. */
export function linkUrl(
  baseUrl: string,
  { kind, token, redirectTo }: { kind: LinkKind; token: string; redirectTo?: string | undefined },
): string {
  const query = redirectTo === undefined ? '' : `?redirect_to=${encodeURIComponent(redirectTo)}`;
  return `${baseUrl}${LINK_PATHS[kind]}${token}${query}`;
}
