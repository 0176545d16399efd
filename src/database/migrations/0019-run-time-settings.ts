import type { Migration } from './migration.ts';

/** Settings that the administrator changes while the service runs. */
export const runTimeSettings: Migration = {
  version: 19,
  name: 'run-time settings',
  statements: ({ key, text, tableOptions }) => [
    `create table run_time_settings (
      name ${key} primary key,
      value ${text} not null
    ) ${tableOptions}`,
    // The row that changes lock. Its value is their number.
    "insert into settings (name, value) values ('run_time_settings', '0')",
  ],
};
