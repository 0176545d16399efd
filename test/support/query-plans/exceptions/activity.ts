/** Statements that read the statistics of users. */
import { BATCH, type Exception, except } from './exception.ts';

const BOUNDED = 'the table has one row for each minute of 90 days';

export const ACTIVITY: readonly Exception[] = [
  ...except(BATCH, {
    'delete from user_activity where (day, user_id) in (': 'range of user_activity',
    'delete from failed_logins where minute in (': 'range of failed_logins',
  }),
  ...except(BOUNDED, {
    'from failed_logins where minute > $1': 'range of failed_logins',
  }),
  ...except('counts the tokens that expire within the current hour', {
    "from counters where name = 'tokens' and period > $2": 'range of tokens_expires_at',
  }),
  ...except('reads one row', {
    'select day from user_activity where day > $1 order by day limit 1': 'range of user_activity',
  }),
];
