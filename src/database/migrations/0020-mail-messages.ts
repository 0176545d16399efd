import type { Migration } from './migration.ts';

/** Messages that have ended, without their texts. Those that wait are jobs. */
export const mailMessages: Migration = {
  version: 20,
  name: 'mail messages',
  statements: ({ text, key, integer, bytes, tableOptions }) => [
    // The data is that of the job, for messages that can be sent again. The content is encrypted.
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
    'create index jobs_mail on jobs (created_at, id) where kind is not null',
  ],
};
