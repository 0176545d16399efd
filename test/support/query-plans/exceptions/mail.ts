/** Statements that read the queue of messages, their links and recipients. */
import { BATCH, EXPORT, type Exception, except } from './exception.ts';

const REVOKED = 'reads only what it deletes, which expires within days';
const DUE = 'reads the jobs that are due, one batch at a time, in the order of the index';
const MESSAGES = 'messages to a user expire after three days';

const PAGE = 'reads one page, in the order of the index';

export const MAIL: readonly Exception[] = [
  ...except('the index has about 100 rows: a message with a text deletes the oldest', {
    'id from mail_messages where content is not null order by ended_at desc': 'all of mail_messages_content',
  }),
  ...except(BATCH, {
    'select id from mail_messages where content is not null and ended_at <': 'range of mail_messages_content',
    'mail_messages where created_at < $1 order by created_at, id limit': 'range of mail_messages_created_at',
    "from jobs where queue = 'mail' and expires_at <= $1 and (leased_until is": 'range of jobs_expires_at',
    'delete from account_links where hash in (': 'range of account_links_expires_at',
    'delete from mail_recipients where recipient in (': 'range of mail_recipients_last_sent_at',
    'select id from jobs where user_id = $1 limit $2': 'rows of one user in jobs_user',
    'from jobs where id in ( select id from jobs where queue = $1 and expires_at': 'range of jobs_expires_at',
  }),
  ...except(PAGE, {
    'ended_at from mail_messages where (created_at, id) < ($1, $2)': 'range of mail_messages_created_at',
    'ended_at from mail_messages where (state, created_at, id) < ($1, $2,': 'range of mail_messages_state',
    'from jobs where kind is not null and (created_at, id) < ($2, $3)': 'range of jobs_mail',
  }),
  ...except('sorts the messages that wait for one address, for the administrator', {
    'from jobs where email_key = $2 and (created_at, id) < ($3, $4)': 'sorts',
  }),
  ...except('the index has only the jobs that run now', {
    'ended_at from jobs where leased_until > $1 limit $2': 'range of jobs_leased',
    'update jobs set next_attempt_at = 0, leased_until = null': 'range of jobs_leased',
    'update jobs set next_attempt_at = $1, leased_until = $1 where leased_until > $1': 'range of jobs_leased',
  }),
  ...except(REVOKED, {
    "delete from jobs where user_id = $1 and kind in ('reset_password'": 'rows of one user in jobs_user',
    'delete from jobs where user_id = $1 and kind = $2': 'rows of one user in jobs_user',
  }),
  ...except(MESSAGES, {
    'select id from jobs where user_id = $1 and kind = $2 and expires_at >': 'rows of one user in jobs_user',
  }),
  ...except(
    MESSAGES,
    {
      'id from jobs where user_id = $1 and kind = $2 and id > $3 limit 1': 'range of one user in jobs_user',
    },
    'sqlite',
  ),
  ...except(
    MESSAGES,
    {
      'id from jobs where user_id = $1 and kind = $2 and id > $3 limit 1': 'rows of one user in jobs_user',
    },
    'postgres',
  ),
  ...except(EXPORT, {
    "from jobs where user_id = $1 and kind <> 'change_email' limit $2": 'rows of one user in jobs_user',
  }),
  ...except('counts 1,001 jobs at most', {
    'from jobs where queue = $2 and expires_at > $1 order by expires_at limit $3': 'range of jobs_expires_at',
  }),
  ...except(DUE, {
    "= 'mail' and priority = $1 and next_attempt_at <= $2 order by next_attempt_at, id": 'range of jobs_due',
    'where endpoint_id = $1 and next_attempt_at <= $2 order by next_attempt_at, id': 'range of jobs_endpoint',
  }),
  ...except('reads only what it changes, one batch at a time', {
    'select id from jobs where queue = $2 and priority = $3 and next_attempt_at > $4': 'range of jobs_due',
  }),
  ...except('counts 1,000 messages of each state at most', {
    'select (select count(*) from (select 1 from jobs where leased_until > $1': [
      'range of jobs_leased',
      'all of jobs_mail',
      'range of mail_messages_state',
    ],
  }),
  ...except('counts 1,001 messages at most', {
    "ended_at from mail_messages where (state, created_at) >= ('failed', $1)": 'range of mail_messages_state',
  }),
  ...except('counts 5,000 messages at most', {
    "select 1 from jobs where origin = 'anonymous' order by expires_at limit $1": 'all of jobs_anonymous',
  }),
];
