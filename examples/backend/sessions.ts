/** Sessions of this backend: the browser has a random id in a cookie that scripts cannot read, never the token. */
import { randomBytes } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';

export interface Session {
  /** Token of the service. */
  readonly token: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface Sessions {
  /** Returns the value of `Set-Cookie`. */
  start(token: string, lifetimeSeconds: number): string;
  find(cookieHeader: string | undefined): Session | undefined;
  /** Forgets the session, and returns the value of `Set-Cookie` that removes its cookie. */
  end(cookieHeader: string | undefined): string;
}

/** Creates the sessions of one process: in production, a table. `isSecure` is false for development without https only. */
export function createSessions({ isSecure }: { readonly isSecure: boolean }): Sessions {
  // #region cookie
  // With the prefix, browsers accept the cookie from this host over https only, not from a sibling domain.
  const name = isSecure ? '__Host-session' : 'session';
  const toCookie = (value: string, maxAge: number) =>
    stringifySetCookie({ name, value, maxAge, path: '/', httpOnly: true, secure: isSecure, sameSite: 'lax' });
  // #endregion
  const sessions = new Map<string, Session>();
  const readId = (header = '') => parseCookie(header)[name] ?? '';
  return {
    start: (token, lifetimeSeconds) => {
      // A new id at each login: one that somebody planted before does not become valid.
      const id = randomBytes(32).toString('base64url');
      sessions.set(id, { token, expiresAt: Date.now() + lifetimeSeconds * 1000 });
      return toCookie(id, lifetimeSeconds);
    },
    find: (header) => {
      const session = sessions.get(readId(header));
      return session !== undefined && session.expiresAt > Date.now() ? session : undefined;
    },
    end: (header) => {
      sessions.delete(readId(header));
      return toCookie('', 0);
    },
  };
}
