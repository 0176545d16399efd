/** The cookie of a session (OWASP ASVS 5.0, 3.3): only over TLS, not for scripts, not for requests of other sites. */
import { type SetCookie, stringifySetCookie } from 'cookie';
import { SESSION_COOKIE } from '../../plugins/access/console-request.ts';
import { LIFETIME_MS } from './rules.ts';

const ATTRIBUTES = {
  name: SESSION_COOKIE,
  path: '/',
  secure: true,
  httpOnly: true,
  sameSite: 'strict',
} as const satisfies Partial<SetCookie>;

/** Returns the Set-Cookie header of a new session. */
export function sessionCookie(token: string): string {
  return stringifySetCookie({ ...ATTRIBUTES, value: token, maxAge: LIFETIME_MS / 1000 });
}

/** The Set-Cookie header that deletes the cookie. */
export const EXPIRED_COOKIE = stringifySetCookie({ ...ATTRIBUTES, value: '', maxAge: 0 });
