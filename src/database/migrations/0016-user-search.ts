import type { Migration } from './migration.ts';
import { fillNameKeys } from './name-keys.ts';

/** Search by words, names without accents, and an index for each order and filter of the list of users. */
export const userSearch: Migration = {
  version: 16,
  name: 'user search',
  statements: ({ key, tableOptions }) => [
    // Not filled any more: migration 27 deletes it.
    `create table user_words (
      user_id ${key} not null references users (id) on delete cascade,
      word ${key} not null,
      primary key (user_id, word)
    ) ${tableOptions}`,
    fillNameKeys,
    'create index user_words_word on user_words (word, user_id)',
    // With the id, which makes the order unique.
    'drop index users_created_at',
    'create index users_created_at on users (created_at, id)',
    'drop index users_state',
    'create index users_state on users (state, created_at, id)',
    'create index users_last_login_at on users (last_login_at, id)',
    'create index users_level on users (level, id) where level is not null',
    'create index tokens_first_characters on tokens (first_characters) where first_characters is not null',
  ],
};
