import type { Migration } from './migration.ts';

/** Whether an application with a secret has to use PKCE, too: 1 or 0. */
export const requiredPkce: Migration = {
  version: 51,
  name: 'required PKCE',
  kind: 'expand',
  statements: ({ integer }) => [
    `alter table applications add column require_pkce ${integer} not null default 0`,
  ],
};
