/**
 * The time of the next attempt of jobs that wait for an earlier one of their lane: the latest that a date can have.
 * Conditions of indexes contain it, so it never changes.
 */
export const WAITING_FOR_LANE = 8_640_000_000_000_000;
