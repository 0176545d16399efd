import type { Migration } from './migration.ts';

/** The normalized email of identities that wait for an answer: they are deleted with the account that has it. */
export const pendingEmails: Migration = {
  version: 46,
  name: 'emails of waiting identities',
  kind: 'expand',
  statements: ({ key }) => [
    `alter table pending_identities add column email_key ${key}`,
    'create index pending_identities_email_key on pending_identities (email_key)',
  ],
};
