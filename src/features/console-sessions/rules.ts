/** Lifetimes of sessions of the console (OWASP ASVS 5.0, 7.3). People have those of their sign-in session. */
import { HOUR, MINUTE } from '../../lib/time.ts';

/** Time without a request after which a session ends. */
export const IDLE_MS = 30 * MINUTE;
/** Time after which a session ends in any case. */
export const LIFETIME_MS = 12 * HOUR;
/** Uses within this time of a recorded one are not written: a session may end so much earlier. */
export const USE_INTERVAL_MS = MINUTE;
/** A sign-in beyond this number of sessions of ADMIN_TOKEN ends the oldest. */
export const MAX_SESSIONS = 10;
