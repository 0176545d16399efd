/** The form of the error responses of each path. */

/** People read them. */
const PAGES =
  /^\/(?:account|device|f|sign-in|sign-out|sign-up|oauth\/(?:authorize|end-session)|\.well-known\/change-password)(?:\/|$)/;

/** Libraries of OAuth 2.0 read them, which know the form of RFC 6749 section 5.2 only. */
const OAUTH = /^\/oauth\//;

export function getErrorForm(path: string): 'page' | 'oauth' | 'api' {
  if (PAGES.test(path)) return 'page';
  return OAUTH.test(path) ? 'oauth' : 'api';
}
