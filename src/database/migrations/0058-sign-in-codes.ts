import type { Migration } from './migration.ts';

/** Sign-ins that wait for a code from the mail: one for each address and network. `name`: of a person who signs up. */
export const signInCodes: Migration = {
  version: 58,
  name: 'codes to sign in',
  kind: 'expand',
  statements: ({ integer, key, tableOptions, text }) => [
    `create table sign_in_codes (
      email_key ${key} not null,
      network ${key} not null,
      hash ${key} not null,
      id ${key} not null,
      email ${text} not null,
      name ${text},
      code_id ${key},
      code_expires_at ${integer} not null,
      code_tries ${integer} not null,
      codes ${integer} not null,
      primary key (email_key, network)
    ) ${tableOptions}`,
    'create unique index sign_in_codes_hash on sign_in_codes (hash)',
    'create index sign_in_codes_code_expires_at on sign_in_codes (code_expires_at)',
  ],
};
