/** Pages to which a sign-in leads afterwards. */

/** Any host: only the path is used. */
const BASE = 'http://frontdesk.invalid';
const ALLOWED = /^\/(?:oauth\/authorize\?|(?:account|console|device)(?:[/?]|$)|sign-in\/)/;

/**
 * Returns the `return_to` of a query, if it is a path of this service to which a sign-in may lead, in the form in which a
 * browser requests it; otherwise null.
 */
export function readReturnTo({ return_to: returnTo }: { readonly return_to?: string }): string | null {
  if (returnTo === undefined || !returnTo.startsWith('/') || !URL.canParse(returnTo, BASE)) return null;
  const { origin, pathname, search } = new URL(returnTo, BASE);
  const path = pathname + search;
  return origin === BASE && ALLOWED.test(path) ? path : null;
}
