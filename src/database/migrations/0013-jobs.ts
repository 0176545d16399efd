import type { Migration } from './migration.ts';

/** One table of jobs for all queues, with the messages that waited in `mail_queue`. */
export const jobs: Migration = {
  version: 13,
  name: 'jobs',
  statements: ({ text, key, integer, tableOptions }) => [
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
    `insert into jobs
      (id, queue, priority, attempts, next_attempt_at, leased_until, created_at, expires_at,
       kind, user_id, email, email_key, data, origin)
      select id, 'mail', priority, attempts, next_attempt_at, leased_until, created_at, expires_at,
             kind, user_id, email, email_key, data, origin
      from mail_queue`,
    'drop table mail_queue',
    'create index jobs_due on jobs (queue, priority, next_attempt_at, id)',
    'create index jobs_expires_at on jobs (queue, expires_at)',
    'create index jobs_leased on jobs (leased_until) where leased_until is not null',
    'create index jobs_user on jobs (user_id) where user_id is not null',
    'create index jobs_email on jobs (email_key, kind, created_at) where email_key is not null',
    "create index jobs_anonymous on jobs (expires_at) where origin = 'anonymous'",
    'create index jobs_endpoint on jobs (endpoint_id, next_attempt_at, id) where endpoint_id is not null',
    // The number is the time of jobs that wait for their lane: one job of a lane has another time, at most.
    `create unique index jobs_lane_first on jobs (lane)
      where lane is not null and next_attempt_at < 8640000000000000`,
    `create index jobs_lane_waiting on jobs (lane, event_number, id)
      where next_attempt_at = 8640000000000000`,
  ],
};
