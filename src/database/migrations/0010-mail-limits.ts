import type { Migration } from './migration.ts';

/** Priorities of messages, their limits per recipient, and the limit of those that anonymous callers have requested. */
export const mailLimits: Migration = {
  version: 10,
  name: 'mail limits',
  statements: ({ text, key, integer, tableOptions }) => [
    // With defaults, because nodes of an older release insert without these columns during an update.
    `alter table mail_queue add column priority ${integer} not null default 0`,
    `alter table mail_queue add column origin ${key} not null default 'user'`,
    `update mail_queue set
        priority = case when kind in ('verify_email', 'change_email') then 0
          when kind = 'reset_password' and user_id is null then 0
          when kind = 'claim_account' then 2 else 1 end,
        origin = case when user_id is null then 'anonymous'
          when kind in ('claim_account', 'reset_password') then 'administrator' else 'user' end`,
    'drop index mail_queue_next_attempt_at',
    'create index mail_queue_due on mail_queue (priority, next_attempt_at, id)',
    "create index mail_queue_anonymous on mail_queue (expires_at) where origin = 'anonymous'",
    // The recipient is a keyed hash of the address. No reference to users: it outlives an account that is erased.
    `create table mail_recipients (
      recipient ${key} primary key,
      sends ${text} not null,
      last_sent_at ${integer} not null
    ) ${tableOptions}`,
    'create index mail_recipients_last_sent_at on mail_recipients (last_sent_at)',
  ],
};
