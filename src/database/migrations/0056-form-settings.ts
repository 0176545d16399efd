import type { Migration } from './migration.ts';

/** The time zone of a form, its bound of submissions from one network, and why a submission is held. */
export const formSettings: Migration = {
  version: 56,
  name: 'settings of forms',
  kind: 'expand',
  statements: ({ integer, text }) => [
    `alter table forms add column time_zone ${text}`,
    `alter table forms add column max_per_minute ${integer}`,
    `alter table form_submissions add column held_reason ${text}`,
  ],
};
