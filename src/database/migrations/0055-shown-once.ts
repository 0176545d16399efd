import type { Migration } from './migration.ts';

/** What sessions are shown again for some minutes. */
export const shownOnce: Migration = {
  version: 55,
  name: 'what is shown once',
  kind: 'expand',
  statements: ({ bytes, integer }) => [
    `alter table sign_in_sessions add column shown ${bytes}`,
    `alter table sign_in_sessions add column shown_until ${integer}`,
    'create index sign_in_sessions_shown on sign_in_sessions (shown_until, id) where shown is not null',
  ],
};
