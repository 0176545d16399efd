import type { Migration } from './migration.ts';

/** What sessions are shown again for some minutes, and addresses that wait to be confirmed. */
export const shownOnce: Migration = {
  version: 55,
  name: 'what is shown once, and requested addresses',
  kind: 'expand',
  statements: ({ bytes, integer, text }) => [
    `alter table sign_in_sessions add column shown ${bytes}`,
    `alter table sign_in_sessions add column shown_until ${integer}`,
    'create index sign_in_sessions_shown on sign_in_sessions (shown_until, id) where shown is not null',
    `alter table users add column requested_email ${text}`,
    `alter table users add column requested_email_until ${integer}`,
  ],
};
