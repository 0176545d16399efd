/** Counters of sign-ins by their way, for each UTC day. */
import { readCounterPeriods } from '../../database/counters.ts';
import type { Reader, Tx } from '../../database/database.ts';
import { toDayNumber } from '../../lib/time.ts';

/** Members of the figures, by the method of authentication (RFC 8176) that the person has used. */
const WAYS = {
  password: 'pwd',
  passkey: 'user',
  provider: 'fed',
  email: 'email',
  second_factor: 'otp',
} as const;
type Way = keyof typeof WAYS;

const WAY_NAMES = Object.keys(WAYS) as readonly Way[];
const getCounter = (way: Way) => `sign_ins:${way}`;

/** Counts a token or session that was issued to a person, once for each method. */
export function countSignIn(tx: Tx, amr: readonly string[], now: number): void {
  for (const way of WAY_NAMES) if (amr.includes(WAYS[way])) tx.count(getCounter(way), toDayNumber(now), 1);
}

/** Returns the number of sign-ins by their way in the days from `from` to `to`. */
export async function countSignIns(reader: Reader, from: number, to: number): Promise<Record<Way, number>> {
  const counts = { password: 0, passkey: 0, provider: 0, email: 0, second_factor: 0 };
  for (const way of WAY_NAMES)
    for (const count of (await readCounterPeriods(reader, { name: getCounter(way), from, to })).values())
      counts[way] += count;
  return counts;
}
