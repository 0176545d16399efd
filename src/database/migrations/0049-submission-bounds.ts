import type { Migration } from './migration.ts';

/** What bounds submissions: the number of accepted ones, and the networks of held ones. */
export const submissionBounds: Migration = {
  version: 49,
  name: 'bounds of submissions',
  kind: 'expand',
  statements: ({ integer }) => [
    // Null: to be counted.
    `alter table forms add column accepted ${integer}`,
    `alter table form_submissions add column network ${integer}`,
    'create index form_submissions_network on form_submissions (form_id, network) where held = 1',
  ],
};
