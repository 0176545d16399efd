import type { Migration } from './migration.ts';

/** What users recognise their sessions by: the device, and the networks of the creation and the last use. */
export const tokenDevices: Migration = {
  version: 21,
  name: 'token devices',
  statements: ({ text }) => [
    `alter table tokens add column device ${text}`,
    `alter table tokens add column network ${text}`,
    `alter table tokens add column last_used_network ${text}`,
    'create index tokens_network on tokens (created_at) where network is not null',
    'create index tokens_last_used_network on tokens (last_used_at) where last_used_network is not null',
  ],
};
