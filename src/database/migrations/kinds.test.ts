import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findContractions } from '../../../test/support/architecture/migration-rules.ts';
import { openEmptyDatabase } from '../../../test/support/database.ts';
import { migrations } from '../../../test/support/next-release/migrations.ts';
import { describeStorage } from '../../../test/support/runner/engines.ts';

describeStorage('migrations', (engine) => {
  test('migrations of the kind expand have no statement that breaks the release before', async (context) => {
    const { dialect } = await openEmptyDatabase(context, engine);
    for (const { name, statements } of migrations.filter(({ kind }) => kind === 'expand'))
      assert.deepEqual(findContractions(statements(dialect)), [], name);
  });
});

describe('findContractions', () => {
  for (const found of [
    'drop table users',
    'DROP INDEX users_email',
    '/* small */ drop trigger user_texts_insert',
    'truncate sessions',
    'alter table users drop column locale',
    'alter table users rename to people',
    'alter table "users" rename column name to title',
    'alter index users_email rename to users_by_email',
    'alter table users alter column level type bigint',
    'alter table users alter level set not null',
    'alter table users alter column level drop default',
    'alter table users add column size bigint not null',
    'alter table users\n  add size bigint -- default 0\n  not null',
    'alter table users add column size bigint not null default null',
    `alter table users add column size text not null check (size <> 'default')`,
    'alter table users add column size bigint check (size > 0)',
    'alter table users add column size bigint unique',
    'alter table users add column shoe text references shoes (id)',
    'alter table users add constraint sizes check (size > 0)',
    'alter table users add unique (size)',
    'create unique index users_size on users (size)',
    'create unique index concurrently if not exists users_size on users (size)',
  ])
    test(`findContractions finds ${JSON.stringify(found)}`, () => {
      assert.deepEqual(findContractions(['create table shoes (id text)', found]), [found]);
    });

  for (const accepted of [
    'alter table users add column size bigint',
    'alter table users add size bigint not null default 0',
    'alter table users add size bigint default 0 not null',
    `alter table users add column note text not null default 'drop unique'`,
    'create index users_size on users (size)',
    'create table boots (id text primary key, user_id text not null references users (id), unique (user_id))',
    'update users set size = 40',
    'insert into counters (name) values (1)',
    'create unique index shoes_user on shoes (user_id)',
    'alter table shoes add constraint sizes check (size > 0)',
  ])
    test(`findContractions accepts ${JSON.stringify(accepted)}`, () => {
      assert.deepEqual(findContractions(['create table shoes (id text)', accepted]), []);
    });
});
