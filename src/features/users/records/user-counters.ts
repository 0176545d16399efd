/** Counters of users: by state, by the day of their creation, and unclaimed records of anonymous callers. */
import { readCounter, readCounterPeriods } from '../../../database/counters.ts';
import type { Reader, Tx } from '../../../database/database.ts';
import { toDayNumber } from '../../../lib/time.ts';

/** States of a user: unclaimed ones have no password, disabled ones cannot log in. */
export const USER_STATES = ['unclaimed', 'active', 'disabled'] as const;

export type UserState = (typeof USER_STATES)[number];

const toCounterName = (state: UserState) => `users:${state}`;
const UNCLAIMED = 'unclaimed_users';
const SIGN_UPS = 'sign_ups';

/** Adds a stored user to the counters (`change` 1), or removes a deleted one (-1). */
export function countUser(
  tx: Tx,
  { state, ownsEmail, createdAt }: { state: UserState; ownsEmail: boolean; createdAt: number },
  change: 1 | -1,
): void {
  tx.count(toCounterName(state), 0, change);
  tx.count(SIGN_UPS, toDayNumber(createdAt), change);
  if (state === 'unclaimed' && !ownsEmail) tx.count(UNCLAIMED, 0, change);
}

/** For a change between active and disabled: records that are or become unclaimed do not change their state. */
export function countStateChange(tx: Tx, before: UserState, after: UserState): void {
  tx.count(toCounterName(before), 0, -1);
  tx.count(toCounterName(after), 0, 1);
}

export async function countUsersByState(reader: Reader): Promise<Record<UserState, number>> {
  const counts: Record<UserState, number> = { unclaimed: 0, active: 0, disabled: 0 };
  for (const state of USER_STATES) counts[state] = await readCounter(reader, toCounterName(state));
  return counts;
}

/** Counts the records that anonymous callers have created and that housekeeping has not deleted yet. */
export const countUnclaimedUsers = (reader: Reader): Promise<number> => readCounter(reader, UNCLAIMED);

/** Counts the users by the UTC day of their creation, from `from` to `to`. Days without any may be missing. */
export function countSignUpsByDay(reader: Reader, from: number, to: number): Promise<Map<number, number>> {
  return readCounterPeriods(reader, { name: SIGN_UPS, from, to });
}
