/** Statements that read the queue of messages, their links and recipients. */
import { BATCH, EXPORT, type Exception } from './exception.ts';

const REVOKED = 'reads only what it deletes, which expires within days';
const MESSAGES = 'messages to a user expire after three days';

export const MAIL: readonly Exception[] = [
  {
    statement: 'select id from mail_queue where user_id = $1 limit $2',
    findings: ['reads the rows of one user of mail_queue by mail_queue_user'],
    reason: BATCH,
  },
  {
    statement: "delete from mail_queue where user_id = $1 and kind in ('reset_password'",
    findings: ['reads the rows of one user of mail_queue by mail_queue_user'],
    reason: REVOKED,
  },
  {
    statement: 'delete from mail_queue where user_id = $1 and kind = $2',
    findings: ['reads the rows of one user of mail_queue by mail_queue_user'],
    reason: REVOKED,
  },
  {
    statement: 'select id from mail_queue where user_id = $1 and kind = $2 and expires_at > $3',
    findings: ['reads the rows of one user of mail_queue by mail_queue_user'],
    reason: MESSAGES,
  },
  {
    statement: 'select id from mail_queue where user_id = $1 and kind = $2 and id > $3 limit 1',
    findings: ['reads a range of the rows of one user of mail_queue by mail_queue_user'],
    reason: MESSAGES,
    engine: 'sqlite',
  },
  {
    statement: 'select id from mail_queue where user_id = $1 and kind = $2 and id > $3 limit 1',
    findings: ['reads the rows of one user of mail_queue by mail_queue_user'],
    reason: MESSAGES,
    engine: 'postgres',
  },
  {
    statement: "from mail_queue where user_id = $1 and kind <> 'change_email' limit $2",
    findings: ['reads the rows of one user of mail_queue by mail_queue_user'],
    reason: EXPORT,
  },
  {
    statement: 'delete from mail_queue where id in ( select id from mail_queue where expires_at <= $1',
    findings: ['reads a range of mail_queue by mail_queue_expires_at'],
    reason: BATCH,
  },
  {
    statement: 'from mail_queue where expires_at > $1 order by expires_at limit $2',
    findings: ['reads a range of mail_queue by mail_queue_expires_at'],
    reason: 'counts 1,001 messages at most',
  },
  {
    statement: 'delete from account_links where hash in (',
    findings: ['reads a range of account_links by account_links_expires_at'],
    reason: BATCH,
  },
  {
    statement: 'update mail_queue set next_attempt_at = 0, leased_until = null',
    findings: ['reads a range of mail_queue by mail_queue_leased'],
    reason: 'the index has only the messages that are being sent',
  },
  {
    statement:
      'from mail_queue where priority = $1 and next_attempt_at <= $2 order by next_attempt_at, id limit $3',
    findings: ['reads a range of mail_queue by mail_queue_due'],
    reason: 'reads the messages that are due, one batch at a time, in the order of the index',
  },
  {
    statement: 'select id from mail_queue where priority = $2 and next_attempt_at > $3',
    findings: ['reads a range of mail_queue by mail_queue_due'],
    reason: 'reads only what it changes, one batch at a time',
  },
  {
    statement: 'update mail_queue set next_attempt_at = $1, leased_until = $1 where leased_until > $1',
    findings: ['reads a range of mail_queue by mail_queue_leased'],
    reason: 'the index has only the messages that are being sent',
  },
  {
    statement: "select 1 from mail_queue where origin = 'anonymous' order by expires_at limit $1",
    findings: ['reads all of mail_queue by mail_queue_anonymous'],
    reason: 'counts 5,000 messages at most',
  },
  {
    statement: 'delete from mail_recipients where recipient in (',
    findings: ['reads a range of mail_recipients by mail_recipients_last_sent_at'],
    reason: BATCH,
  },
];
