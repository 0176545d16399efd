/** Statements that read the queue of messages, their links and recipients. */
import { BATCH, EXPORT, type Exception } from './exception.ts';

const REVOKED = 'reads only what it deletes, which expires within days';
const DUE = 'reads the jobs that are due, one batch at a time, in the order of the index';
const MESSAGES = 'messages to a user expire after three days';

const PAGE = 'reads one page, in the order of the index';

export const MAIL: readonly Exception[] = [
  {
    statement: 'select id from mail_messages where content is not null order by ended_at desc',
    findings: ['reads all of mail_messages by mail_messages_content'],
    reason: 'the index has about 100 rows: a message with a text deletes the oldest',
  },
  {
    statement: 'select id from mail_messages where content is not null and ended_at < $1',
    findings: ['reads a range of mail_messages by mail_messages_content'],
    reason: BATCH,
  },
  {
    statement: 'select id from mail_messages where created_at < $1 order by created_at, id limit $2',
    findings: ['reads a range of mail_messages by mail_messages_created_at'],
    reason: BATCH,
  },
  {
    statement: 'ended_at from mail_messages where (created_at, id) < ($1, $2)',
    findings: ['reads a range of mail_messages by mail_messages_created_at'],
    reason: PAGE,
  },
  {
    statement: 'ended_at from mail_messages where (state, created_at, id) < ($5, $1, $2)',
    findings: ['reads a range of mail_messages by mail_messages_state'],
    reason: PAGE,
  },
  {
    statement: 'from jobs where kind is not null and (created_at, id) < ($1, $2)',
    findings: ['reads a range of jobs by jobs_mail'],
    reason: PAGE,
  },
  {
    statement: 'from jobs where email_key = $5 and (created_at, id) < ($1, $2)',
    findings: ['sorts'],
    reason: 'sorts the messages that wait for one address, for the administrator',
  },
  {
    statement: 'leased_until from jobs where leased_until > $1 limit $2',
    findings: ['reads a range of jobs by jobs_leased'],
    reason: 'the index has only the jobs that run now',
  },
  {
    statement: "from jobs where queue = 'mail' and expires_at <= $1 and (leased_until is null",
    findings: ['reads a range of jobs by jobs_expires_at'],
    reason: BATCH,
  },
  {
    statement: 'delete from account_links where hash in (',
    findings: ['reads a range of account_links by account_links_expires_at'],
    reason: BATCH,
  },
  {
    statement: 'delete from mail_recipients where recipient in (',
    findings: ['reads a range of mail_recipients by mail_recipients_last_sent_at'],
    reason: BATCH,
  },
  {
    statement: 'select id from jobs where user_id = $1 limit $2',
    findings: ['reads the rows of one user of jobs by jobs_user'],
    reason: BATCH,
  },
  {
    statement: "delete from jobs where user_id = $1 and kind in ('reset_password'",
    findings: ['reads the rows of one user of jobs by jobs_user'],
    reason: REVOKED,
  },
  {
    statement: 'delete from jobs where user_id = $1 and kind = $2',
    findings: ['reads the rows of one user of jobs by jobs_user'],
    reason: REVOKED,
  },
  {
    statement: 'select id from jobs where user_id = $1 and kind = $2 and expires_at > $3',
    findings: ['reads the rows of one user of jobs by jobs_user'],
    reason: MESSAGES,
  },
  {
    statement: 'select id from jobs where user_id = $1 and kind = $2 and id > $3 limit 1',
    findings: ['reads a range of the rows of one user of jobs by jobs_user'],
    reason: MESSAGES,
    engine: 'sqlite',
  },
  {
    statement: 'select id from jobs where user_id = $1 and kind = $2 and id > $3 limit 1',
    findings: ['reads the rows of one user of jobs by jobs_user'],
    reason: MESSAGES,
    engine: 'postgres',
  },
  {
    statement: "from jobs where user_id = $1 and kind <> 'change_email' limit $2",
    findings: ['reads the rows of one user of jobs by jobs_user'],
    reason: EXPORT,
  },
  {
    statement: 'delete from jobs where id in ( select id from jobs where queue = $1 and expires_at <= $2',
    findings: ['reads a range of jobs by jobs_expires_at'],
    reason: BATCH,
  },
  {
    statement: 'from jobs where queue = $1 and expires_at > $2 order by expires_at limit $3',
    findings: ['reads a range of jobs by jobs_expires_at'],
    reason: 'counts 1,001 jobs at most',
  },
  {
    statement: 'update jobs set next_attempt_at = 0, leased_until = null',
    findings: ['reads a range of jobs by jobs_leased'],
    reason: 'the index has only the jobs that run now',
  },
  {
    statement:
      "from jobs where queue = 'mail' and priority = $1 and next_attempt_at <= $2 order by next_attempt_at, id",
    findings: ['reads a range of jobs by jobs_due'],
    reason: DUE,
  },
  {
    statement:
      'from jobs where endpoint_id = $1 and next_attempt_at <= $2 order by next_attempt_at, id limit $3',
    findings: ['reads a range of jobs by jobs_endpoint'],
    reason: DUE,
  },
  {
    statement: 'select id from jobs where queue = $2 and priority = $3 and next_attempt_at > $4',
    findings: ['reads a range of jobs by jobs_due'],
    reason: 'reads only what it changes, one batch at a time',
  },
  {
    statement: 'update jobs set next_attempt_at = $1, leased_until = $1 where leased_until > $1',
    findings: ['reads a range of jobs by jobs_leased'],
    reason: 'the index has only the jobs that run now',
  },
  {
    statement: "select 1 from jobs where origin = 'anonymous' order by expires_at limit $1",
    findings: ['reads all of jobs by jobs_anonymous'],
    reason: 'counts 5,000 messages at most',
  },
];
