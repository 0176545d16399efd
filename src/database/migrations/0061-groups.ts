import type { Migration } from './migration.ts';

/**
 * Groups of users, and which of them may use an application. Memberships of a deleted group are deleted in batches, so
 * that no foreign key refers to it. They have the creation time of the user, which never changes: the order of lists.
 */
export const groups: Migration = {
  version: 61,
  name: 'groups',
  kind: 'expand',
  statements: ({ integer, key, text, tableOptions }) => [
    `create table groups (
       id ${key} primary key,
       name ${key} not null,
       title ${text} not null,
       created_at ${integer} not null,
       updated_at ${integer} not null,
       version ${integer} not null
     ) ${tableOptions}`,
    'create unique index groups_name on groups (name)',
    `create table group_members (
       user_id ${key} not null references users (id) on delete cascade,
       group_id ${key} not null,
       user_created_at ${integer} not null,
       created_at ${integer} not null,
       primary key (user_id, group_id)
     ) ${tableOptions}`,
    'create index group_members_group on group_members (group_id, user_created_at, user_id)',
    `alter table applications add column allowed_groups ${text}`,
  ],
};
