import type { Dialect } from '../../database.ts';

/** Jobs of all queues, messages that have ended, and the limits of recipients. */
export function createMail({ text, key, integer, bytes, tableOptions }: Dialect): string[] {
  return [
    `create table jobs (
      id ${key} primary key,
      queue ${key} not null,
      lane ${key},
      priority ${integer} not null,
      attempts ${integer} not null,
      next_attempt_at ${integer} not null,
      leased_until ${integer},
      created_at ${integer} not null,
      expires_at ${integer} not null,
      last_error ${text},
      kind ${key},
      user_id ${key} references users (id) on delete cascade,
      email ${text},
      email_key ${key},
      data ${text},
      origin ${key},
      endpoint_id ${key},
      event_number ${integer}
    ) ${tableOptions}`,
    'create index jobs_due on jobs (queue, priority, next_attempt_at, id)',
    'create index jobs_expires_at on jobs (queue, expires_at)',
    'create index jobs_leased on jobs (leased_until) where leased_until is not null',
    'create index jobs_user on jobs (user_id) where user_id is not null',
    'create index jobs_email on jobs (email_key, kind, created_at) where email_key is not null',
    "create index jobs_anonymous on jobs (expires_at) where origin = 'anonymous'",
    'create index jobs_mail on jobs (created_at, id) where kind is not null',
    'create index jobs_endpoint on jobs (endpoint_id, next_attempt_at, id) where endpoint_id is not null',
    // The number is the time of jobs that wait for their lane: one job of a lane has another time, at most.
    `create unique index jobs_lane_first on jobs (lane)
      where lane is not null and next_attempt_at < 8640000000000000`,
    `create index jobs_lane_waiting on jobs (lane, event_number, id)
      where next_attempt_at = 8640000000000000`,
    // Messages that have ended. The data is that of the job, for messages that can be sent again. The content is
    // encrypted.
    `create table mail_messages (
      id ${key} primary key,
      kind ${key} not null,
      user_id ${key} references users (id) on delete cascade,
      email ${text} not null,
      email_key ${key} not null,
      state ${key} not null,
      reason ${key},
      attempts ${integer} not null,
      last_error ${text},
      data ${text},
      content ${bytes},
      created_at ${integer} not null,
      ended_at ${integer} not null
    ) ${tableOptions}`,
    'create index mail_messages_created_at on mail_messages (created_at, id)',
    'create index mail_messages_state on mail_messages (state, created_at, id)',
    'create index mail_messages_email on mail_messages (email_key, created_at, id)',
    'create index mail_messages_user on mail_messages (user_id, id) where user_id is not null',
    'create index mail_messages_content on mail_messages (ended_at, id) where content is not null',
    // The recipient is a keyed hash of the address. No reference to users: it outlives an account that is erased.
    `create table mail_recipients (
      recipient ${key} primary key,
      sends ${text} not null,
      last_sent_at ${integer} not null
    ) ${tableOptions}`,
    'create index mail_recipients_last_sent_at on mail_recipients (last_sent_at)',
  ];
}
