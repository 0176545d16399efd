import type { Dialect } from '../../database.ts';

export function createTokens({ text, key, integer, bytes, tableOptions }: Dialect): string[] {
  return [
    // A token with `rotated_at` has a successor and cannot get another one.
    `create table tokens (
      hash ${key} primary key,
      id ${key} not null,
      user_id ${key} not null references users (id) on delete cascade,
      name ${text} not null,
      scopes ${text} not null,
      created_at ${integer} not null,
      last_used_at ${integer},
      expires_at ${integer} not null,
      first_characters ${text},
      rotated_at ${integer},
      device ${text},
      network ${text},
      last_used_network ${text}
    ) ${tableOptions}`,
    'create unique index tokens_id on tokens (id)',
    'create index tokens_user on tokens (user_id, id)',
    'create index tokens_expires_at on tokens (expires_at)',
    'create index tokens_first_characters on tokens (first_characters) where first_characters is not null',
    'create index tokens_network on tokens (created_at) where network is not null',
    'create index tokens_last_used_network on tokens (last_used_at) where last_used_network is not null',
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
  ];
}
