/** Requests of the console. A browser adds its cookie also to those of other pages: each has to prove its origin. */
import type { IncomingHttpHeaders } from 'node:http';
import { parseCookie } from 'cookie';
import type { AccessRule, AdminCaller, FindConsoleSession } from '../../callers/callers.ts';
import { isRandomToken } from '../../lib/secrets/tokens.ts';
import { credentialRequired } from '../../problems/challenges.ts';
import { Problem } from '../../problems/problem.ts';
import { checkAdminScope, getRealm } from './authentication.ts';

/** The prefix keeps other hosts and pages over plain HTTP from setting it (RFC 6265bis section 4.1.3.2). */
export const nameSessionCookie = (cookieTag: string) => `__Host-frontdesk-${cookieTag}`;

/** Whether the route accepts the session of the console. */
export function acceptsConsoleSession({ access }: Pick<AccessRule, 'access'>): boolean {
  return access === 'admin' || access === 'optional';
}

/** Whether the request is authenticated by the session, also if the header or the cookie is missing. */
export function isConsoleRequest(
  route: Pick<AccessRule, 'access'>,
  headers: IncomingHttpHeaders,
  cookieTag: string,
): boolean {
  if (!acceptsConsoleSession(route) || headers.authorization !== undefined) return false;
  return headers['x-frontdesk-console'] !== undefined || getSessionCookie(headers, cookieTag) !== undefined;
}

/** Returns the token of the cookie, if it can be one. */
export function sessionToken(headers: IncomingHttpHeaders, cookieTag: string): string | undefined {
  const value = getSessionCookie(headers, cookieTag);
  return value !== undefined && isRandomToken(value) ? value : undefined;
}

function getSessionCookie({ cookie }: IncomingHttpHeaders, cookieTag: string): string | undefined {
  const name = nameSessionCookie(cookieTag);
  // Parsing 16 KiB of other cookies would take half a millisecond.
  return cookie?.includes(name) ? parseCookie(cookie)[name] : undefined;
}

/** Rejects requests that a page of another origin may have sent. @throws Problem console_request_rejected */
export function checkConsoleRequest(headers: IncomingHttpHeaders, publicUrl: string): void {
  if (headers['x-frontdesk-console'] !== '1' || !isSameOrigin(headers, publicUrl))
    throw new Problem('console_request_rejected');
}

/** Whether a page of this service has sent the request. */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined ? isOwnOrigin(headers, publicUrl) : site === 'same-origin';
}

/**
 * Compares Origin, for browsers without Sec-Fetch-Site, or the origin of Referer for those without both. Without
 * PUBLIC_URL, with the host of the request.
 */
function isOwnOrigin({ origin: sent, referer = '', host }: IncomingHttpHeaders, publicUrl: string): boolean {
  const origin = sent ?? URL.parse(referer)?.origin;
  if (origin === undefined || !URL.canParse(origin)) return false;
  if (publicUrl !== '') return origin === new URL(publicUrl).origin;
  const url = new URL(origin);
  const isTrustworthy =
    url.protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  return isTrustworthy && url.origin === origin && url.host === host?.toLowerCase();
}

/**
 * Returns the administrator if the console sent the request with a live session.
 * @throws Problem console_request_rejected, unauthorized with a challenge, insufficient_scope, and those of
 *   `findConsoleSession`
 */
export async function authenticateConsole(
  route: AccessRule,
  headers: IncomingHttpHeaders,
  { findConsoleSession, publicUrl }: { findConsoleSession: FindConsoleSession; publicUrl: string },
): Promise<AdminCaller> {
  checkConsoleRequest(headers, publicUrl);
  const session = await findConsoleSession(headers);
  if (session === undefined) throw credentialRequired(getRealm(route.access));
  checkAdminScope(route, session.credential);
  return { kind: 'admin', credential: session.credential, session };
}
