import type { Migration } from './migration.ts';

/** Failed attempts at passwords have this name everywhere. */
export const failedAttempts: Migration = {
  version: 5,
  name: 'failed attempts',
  statements: () => [
    'drop index guess_limits_touched_at',
    'alter table guess_limits rename to failed_attempts',
    'create index failed_attempts_touched_at on failed_attempts (touched_at)',
  ],
};
