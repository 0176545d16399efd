import { type CounterChange, selectCounterDifferences } from '../../../database/counters.ts';
import type { Reader, Statement } from '../../../database/database.ts';
import { prepareValue } from '../../../database/prepare.ts';
import { HOUR, toHourNumber } from '../../../lib/time.ts';

const countTokens = prepareValue<number, [now: number, hour: number, nextHour: number]>(`
  select cast((select coalesce(sum(value), 0) from counters where name = 'tokens' and period > $2)
    + (select count(*) from tokens where expires_at > $1 and expires_at < $3) as bigint) as tokens`);

/**
 * Counts the tokens that have not expired: those that expire in later hours by their counters, those of the current
 * hour one by one, both in one snapshot.
 */
export function countLiveTokens(reader: Reader, now: number): Promise<number> {
  const hour = toHourNumber(now);
  return countTokens(reader, now, hour, (hour + 1) * HOUR);
}

/** The differences between each group of counters and the counted rows, by the name of the group. */
export const DIFFERENCES: Readonly<Record<string, Statement<CounterChange>>> = {
  'users by state': selectCounterDifferences(
    "select 'users:' || state as name, 0 as period, count(*) as value from users group by state",
    "name in ('users:unclaimed', 'users:active', 'users:disabled')",
  ),
  'unclaimed records': selectCounterDifferences(
    `select 'unclaimed_users' as name, 0 as period, count(*) as value from users
     where state = 'unclaimed' and owns_email = 0`,
    "name = 'unclaimed_users'",
  ),
  'sign-ups by day': selectCounterDifferences(
    `select 'sign_ups' as name, created_at / 86400000 as period, count(*) as value from users
     group by created_at / 86400000`,
    "name = 'sign_ups'",
  ),
  'tokens by hour of expiry': selectCounterDifferences(
    `select 'tokens' as name, expires_at / 3600000 as period, count(*) as value from tokens
     group by expires_at / 3600000`,
    "name = 'tokens'",
  ),
};
