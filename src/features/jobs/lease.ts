import { MINUTE } from '../../lib/time/clock.ts';

/** After a crash, another attempt begins that much later. Longer than an attempt, also if clocks of nodes differ. */
export const LEASE_MS = 5 * MINUTE;
