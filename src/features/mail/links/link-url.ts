import type { LinkKind } from './queries.ts';

/** Paths of the pages that complete a step; the token is their last segment. */
export const LINK_PATHS: Readonly<Record<LinkKind, string>> = {
  reset_password: '/account/reset-password/',
  claim_account: '/account/claim/',
  verify_email: '/account/verify-email/',
  change_email: '/account/change-email/',
};

export interface LinkTarget {
  readonly kind: LinkKind;
  readonly token: string;
  /** URL to which the page leads afterwards; the page checks again whether it is allowed. */
  readonly redirectTo?: string | undefined;
  /** The language of the user, which the page has, too. */
  readonly locale?: string | null | undefined;
}

/** Returns the URL of a link. `baseUrl` is a setting, never the Host header, which the sender of a request chooses. */
export function linkUrl(baseUrl: string, { kind, token, ...query }: LinkTarget): string {
  return `${baseUrl}${LINK_PATHS[kind]}${token}${toPageQuery(query)}`;
}

/** Returns the query that the pages of a step pass on; empty if there is none. */
export function toPageQuery({ redirectTo, locale }: Partial<LinkTarget>): string {
  const query = { ...(redirectTo && { redirect_to: redirectTo }), ...(locale && { lang: locale }) };
  return Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`;
}
