import type { Migration } from './migration.ts';

/**
 * Values of metadata by which users are found. `metadata_generation` is that of the index (METADATA_INDEX) to which the
 * rows of the user belong; null for a user without metadata.
 */
export const metadataIndex: Migration = {
  version: 25,
  name: 'metadata index',
  statements: ({ key, integer, tableOptions }) => [
    `create table user_metadata_keys (
      user_id ${key} not null references users (id) on delete cascade,
      member ${key} not null,
      value_key ${key} not null,
      primary key (user_id, member)
    ) ${tableOptions}`,
    'create index user_metadata_keys_value on user_metadata_keys (member, value_key, user_id)',
    `alter table users add column metadata_generation ${integer}`,
    'update users set metadata_generation = 0 where user_metadata is not null or app_metadata is not null',
    `create index users_metadata_generation on users (metadata_generation, id)
      where metadata_generation is not null`,
  ],
};
