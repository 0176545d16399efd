/** Statements that read the statistics of users. */
import { BATCH, type Exception, except } from './exception.ts';

const BOUNDED = 'the table has one row for each minute of 90 days';

export const ACTIVITY: readonly Exception[] = [
  ...except(BATCH, {
    'delete from user_activity where (day, user_id) in (': 'reads a range of user_activity by PRIMARY KEY',
    'delete from failed_logins where minute in (': 'reads a range of failed_logins by PRIMARY KEY',
  }),
  ...except(BOUNDED, {
    'from failed_logins where minute > $1': 'reads a range of failed_logins by PRIMARY KEY',
  }),
  ...except('counts the tokens that expire within the current hour', {
    "from counters where name = 'tokens' and period > $2": 'reads a range of tokens by tokens_expires_at',
  }),
  ...except('reads one row', {
    'select day from user_activity where day > $1 order by day limit 1':
      'reads a range of user_activity by PRIMARY KEY',
  }),
];
