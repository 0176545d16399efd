/**
 * The cookie of a sign-in session: only over TLS, not for scripts, and not for requests of other sites but those that
 * lead here (OWASP ASVS 5.0, 3.3). Another one than that of the console.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';
import { isRandomToken } from '../../../lib/secrets/tokens.ts';

const NAME = 'frontdesk-person';
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Returns the attributes. Not all browsers store cookies with `Secure` from http://localhost. */
function getAttributes(publicUrl: string, { host = '' }: IncomingHttpHeaders, base: string) {
  const url = publicUrl === '' ? `http://${host}` : publicUrl;
  const { protocol = '', hostname = '' } = URL.canParse(url) ? new URL(url) : {};
  const secure = protocol !== 'http:' || !LOOPBACK.test(hostname);
  const name = secure ? `__Host-${base}` : base;
  return { name, secure, path: '/', httpOnly: true, sameSite: 'lax' } as const;
}

/**
 * Returns the Set-Cookie header of a session, or of another cookie with the same attributes; with an empty token and 0
 * seconds, the one that deletes the cookie.
 */
export function formatSessionCookie(
  publicUrl: string,
  headers: IncomingHttpHeaders,
  { token, maxAge, name = NAME }: { readonly token: string; readonly maxAge: number; readonly name?: string },
): string {
  return stringifySetCookie({ ...getAttributes(publicUrl, headers, name), value: token, maxAge });
}

/** Returns the token of the cookie, if it can be one. */
export function readSessionCookie(
  publicUrl: string,
  headers: IncomingHttpHeaders,
  base = NAME,
): string | undefined {
  const { cookie = '' } = headers;
  const { name } = getAttributes(publicUrl, headers, base);
  // Parsing 16 KiB of other cookies would take half a millisecond.
  const value = cookie.includes(name) ? parseCookie(cookie)[name] : undefined;
  return value !== undefined && isRandomToken(value) ? value : undefined;
}

/** The cookie of a sign-in that waits for a code of the second factor. */
export const CHALLENGE_COOKIE = 'frontdesk-challenge';
const CHALLENGE_SECONDS = 300;

export function formatChallengeCookie(publicUrl: string, headers: IncomingHttpHeaders, token: string) {
  const maxAge = CHALLENGE_SECONDS;
  return formatSessionCookie(publicUrl, headers, { token, maxAge, name: CHALLENGE_COOKIE });
}
