/** The migrations of a release after this one, made for tests: they change the tables that every request uses. */
import { migrations as present } from '../../../src/database/migrations/index.ts';
import type { Migration } from '../../../src/database/migrations/migration.ts';

export const LAST = present.at(-1)!.version;

/** Has the name of the list that it replaces. */
export const migrations: readonly Migration[] = [
  ...present,
  {
    version: LAST + 1,
    name: 'shoe sizes',
    kind: 'expand',
    statements: ({ key, integer, tableOptions }) => [
      `alter table users add column shoe_size ${integer} not null default 0`,
      `alter table tokens add column shoe_shop ${key}`,
      `alter table events add column shoe_shop ${key}`,
      `create table shoes (
        id ${key} primary key,
        user_id ${key} not null references users (id) on delete cascade
      ) ${tableOptions}`,
      'create index users_shoe_size on users (shoe_size, id)',
      'update users set shoe_size = 40',
    ],
  },
  {
    version: LAST + 2,
    name: 'no index of shoe sizes',
    kind: 'contract',
    statements: () => ['drop index users_shoe_size'],
  },
];
