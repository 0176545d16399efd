/** Statements that read the statistics of users. */
import { BATCH, type Exception } from './exception.ts';

const BOUNDED = 'the table has one row for each minute of 90 days';

export const ACTIVITY: readonly Exception[] = [
  {
    statement: 'delete from user_activity where (day, user_id) in (',
    findings: ['reads a range of user_activity by PRIMARY KEY'],
    reason: BATCH,
  },
  {
    statement: 'delete from failed_logins where minute in (',
    findings: ['reads a range of failed_logins by PRIMARY KEY'],
    reason: BATCH,
  },
  {
    statement: 'from failed_logins where minute > $1',
    findings: ['reads a range of failed_logins by PRIMARY KEY'],
    reason: BOUNDED,
  },
  {
    statement: "from counters where name = 'tokens' and period > $2",
    findings: ['reads a range of tokens by tokens_expires_at'],
    reason: 'counts the tokens that expire within the current hour',
  },
  {
    statement: 'from users where created_at >= $1 and created_at <= $2',
    findings: ['reads a range of users by users_created_at'],
    reason: 'counts the users who were created in the shorter part of one day',
  },
  {
    statement: 'select day from user_activity where day > $1 order by day limit 1',
    findings: ['reads a range of user_activity by PRIMARY KEY'],
    reason: 'reads one row',
  },
];
