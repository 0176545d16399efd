/** Cookies of a sign-in that has begun: they bind it to the browser. */
import type { IncomingHttpHeaders } from 'node:http';
import { newRandomToken } from '../../../lib/secrets/tokens.ts';
import { HOUR, MINUTE } from '../../../lib/time/clock.ts';
import { formatSessionCookie, readSessionCookie } from '../../sign-in/sessions/session-cookie.ts';

const NAME = 'frontdesk-upstream';
/** The cookie of a sign-in that waits for a code of the second factor; the page of the code reads it. */
export const CHALLENGE_COOKIE = 'frontdesk-challenge';

export function readBrowserToken(publicUrl: string, headers: IncomingHttpHeaders): string | undefined {
  return readSessionCookie(publicUrl, headers, NAME);
}

/** Returns the token of the browser, so that sign-ins in several tabs can be completed, or a new one; and its cookie. */
export function renewBrowserToken(publicUrl: string, headers: IncomingHttpHeaders) {
  const token = readBrowserToken(publicUrl, headers) ?? newRandomToken();
  const cookie = formatSessionCookie(publicUrl, headers, { token, maxAge: HOUR / 1000, name: NAME });
  return { token, cookie };
}

export function formatChallengeCookie(publicUrl: string, headers: IncomingHttpHeaders, challenge: string) {
  const maxAge = (5 * MINUTE) / 1000;
  return formatSessionCookie(publicUrl, headers, { token: challenge, maxAge, name: CHALLENGE_COOKIE });
}
