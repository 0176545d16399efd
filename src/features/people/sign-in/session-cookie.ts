/**
 * The cookie of a sign-in session: only over TLS, not for scripts, and not for requests of other sites but those that
 * lead here (OWASP ASVS 5.0, 3.3). Another one than that of the console.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';
import { createKeyedHash } from '../../../lib/secrets/encryption.ts';
import { hashToken, isRandomToken } from '../../../lib/secrets/tokens.ts';
import { DAY } from '../../../lib/time.ts';

const NAME = 'frontdesk-person';
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

export interface SentForm {
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  readonly body: unknown;
}

export interface CookieDeps {
  readonly publicUrl: string;
  /** Ends the names of cookies. */
  readonly cookieTag: string;
}

/** Returns the attributes. Not all browsers store cookies with `Secure` from http://localhost. */
function getAttributes(
  { publicUrl, cookieTag }: CookieDeps,
  { host = '' }: IncomingHttpHeaders,
  base: string,
) {
  const url = publicUrl === '' ? `http://${host}` : publicUrl;
  const { protocol = '', hostname = '' } = URL.canParse(url) ? new URL(url) : {};
  const secure = protocol !== 'http:' || !LOOPBACK.test(hostname);
  const name = `${secure ? '__Host-' : ''}${base}-${cookieTag}`;
  return { name, secure, path: '/', httpOnly: true, sameSite: 'lax' } as const;
}

/**
 * Returns the Set-Cookie header of a session, or of another cookie with the same attributes; with an empty token and 0
 * seconds, the one that deletes the cookie.
 */
export function formatSessionCookie(
  deps: CookieDeps,
  headers: IncomingHttpHeaders,
  { token, maxAge, name = NAME }: { readonly token: string; readonly maxAge: number; readonly name?: string },
): string {
  return stringifySetCookie({ ...getAttributes(deps, headers, name), value: token, maxAge });
}

/** Returns the token of the cookie, if it can be one. */
export function readSessionCookie(deps: CookieDeps, headers: IncomingHttpHeaders, base = NAME) {
  const { cookie = '' } = headers;
  const { name } = getAttributes(deps, headers, base);
  // Parsing 16 KiB of other cookies would take half a millisecond.
  const value = cookie.includes(name) ? parseCookie(cookie)[name] : undefined;
  return value !== undefined && isRandomToken(value) ? value : undefined;
}

/**
 * Returns what identifies a form that a browser has sent: its cookies of this service, the URL and the fields; null without
 * such a cookie. Only this browser can send the same. The session counts if there is no other cookie: between two presses, a
 * browser may store the new session and still have the cookie of the step.
 */
export function identifyForm({ cookieTag }: CookieDeps, { headers: { cookie = '' }, url, body }: SentForm) {
  const own = Object.entries(parseCookie(cookie)).filter(
    ([name, value = '']) => name.endsWith(`-${cookieTag}`) && isRandomToken(value),
  );
  const steps = own.filter(([name]) => !name.endsWith(`${NAME}-${cookieTag}`));
  return own.length === 0 ? null : JSON.stringify([(steps.length > 0 ? steps : own).sort(), url, body]);
}

/** The cookies of sign-ins that wait for a code, of the second factor or from the mail: one for each, because tabs share their cookies. */
const CHALLENGE_COOKIE = 'frontdesk-challenge';
const CHALLENGE_SECONDS = 300;

/** Returns the Set-Cookie header of a challenge, and the name of the step in the URL of its page. */
export function formatChallengeCookie(
  deps: CookieDeps,
  headers: IncomingHttpHeaders,
  { token, maxAge = CHALLENGE_SECONDS }: { readonly token: string; readonly maxAge?: number },
) {
  const step = hashToken(token).slice(0, 8);
  const name = `${CHALLENGE_COOKIE}-${step}`;
  return {
    step,
    cookie: formatSessionCookie(deps, headers, { token, maxAge, name }),
  };
}

/** Returns the challenge of a step, and the Set-Cookie header that deletes it. */
export function readChallengeCookie(deps: CookieDeps, headers: IncomingHttpHeaders, step = '') {
  const name = `${CHALLENGE_COOKIE}-${step}`;
  return {
    challenge: /^\w{8}$/.test(step) ? readSessionCookie(deps, headers, name) : undefined,
    expire: () => formatSessionCookie(deps, headers, { token: '', maxAge: 0, name }),
  };
}

const SIGN_UP_COOKIE = 'frontdesk-sign-up';
/** Characters of a token. */
const LENGTH = 43;

export type SignUpProof = ReturnType<typeof createSignUpProof>;

/**
 * The cookie by which a browser proves that it has created an account: it is signed in when the address is confirmed. For
 * an address that is taken, it has the same form, and proves nothing.
 */
export function createSignUpProof({ secretKey, ...cookies }: CookieDeps & { readonly secretKey: string }) {
  const hash = createKeyedHash(secretKey, 'sign-ups');
  const toToken = (userId: string) => hashToken(hash(userId)).slice(0, LENGTH);
  return {
    /** Returns the Set-Cookie header for the browser that has sent the form. */
    formatCookie: (headers: IncomingHttpHeaders, userId: string) =>
      formatSessionCookie(cookies, headers, {
        token: toToken(userId),
        maxAge: DAY / 1000,
        name: SIGN_UP_COOKIE,
      }),
    isOwn: (headers: IncomingHttpHeaders, userId: string) =>
      readSessionCookie(cookies, headers, SIGN_UP_COOKIE) === toToken(userId),
  };
}
