/**
 * The cookie by which a browser proves that it has created an account: it is signed in when the address is confirmed. For
 * an address that is taken, it has the same form, and proves nothing.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { createKeyedHash } from '../../../lib/secrets/encryption.ts';
import { hashToken } from '../../../lib/secrets/tokens.ts';
import { DAY } from '../../../lib/time.ts';
import { type CookieDeps, formatSessionCookie, readSessionCookie } from './session-cookie.ts';

const name = 'frontdesk-sign-up';
/** Characters of a token. */
const LENGTH = 43;

export type SignUpProof = ReturnType<typeof createSignUpProof>;

export function createSignUpProof({ secretKey, ...cookies }: CookieDeps & { readonly secretKey: string }) {
  const hash = createKeyedHash(secretKey, 'sign-ups');
  const toToken = (userId: string) => hashToken(hash(userId)).slice(0, LENGTH);
  return {
    /** Returns the Set-Cookie header for the browser that has sent the form. */
    formatCookie: (headers: IncomingHttpHeaders, userId: string) =>
      formatSessionCookie(cookies, headers, { token: toToken(userId), maxAge: DAY / 1000, name }),
    isOwn: (headers: IncomingHttpHeaders, userId: string) =>
      readSessionCookie(cookies, headers, name) === toToken(userId),
  };
}
