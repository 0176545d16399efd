/** Which requests need a recent sign-in. The pages import it as well. */

/** Age of a sign-in from which on it proves nothing (OWASP ASVS 5.0, 7.5.3). */
export const RECENT_SIGN_IN_MINUTES = 15;

/**
 * always: people with a role need a recent sign-in to the console, which `plugins/access/recent-sign-ins.ts` verifies; a
 * function decides the same by the body. without password: the request proves its person by the current password, or for
 * accounts without one by a recent sign-in with the cookie of the pages, which `requireProof` verifies.
 */
export type RecentSignIn = 'always' | 'without password' | ((body: unknown) => boolean);
