import type { Migration } from './migration.ts';

/** Keys that sign JSON Web Tokens. */
export const signingKeys: Migration = {
  version: 23,
  name: 'signing keys',
  statements: ({ text, key, integer, bytes, tableOptions }) => [
    // Published from their creation until `removed_at`; the last two times are those of a key with a successor.
    // The private key is encrypted.
    `create table signing_keys (
      id ${key} primary key,
      public_key ${text} not null,
      private_key ${bytes} not null,
      created_at ${integer} not null,
      signs_from ${integer} not null,
      signs_until ${integer},
      removed_at ${integer}
    ) ${tableOptions}`,
  ],
};
