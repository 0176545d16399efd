import type { Migration } from './migration.ts';

/** Audiences for which the tokens of an application may get a JSON Web Token, as a JSON array. */
export const jwtAudiences: Migration = {
  version: 45,
  name: 'audiences of applications',
  kind: 'expand',
  statements: ({ text }) => [
    `alter table applications add column jwt_audiences ${text} not null default '[]'`,
  ],
};
