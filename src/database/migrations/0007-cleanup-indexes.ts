import type { Migration } from './migration.ts';

/**
 * Without these indexes, the hourly deletion of abandoned users reads all unclaimed ones, and the start on SQLite all
 * stored responses. They are partial, because nearly all rows are in neither and need not pay for them.
 */
export const cleanupIndexes: Migration = {
  version: 7,
  name: 'clean-up indexes',
  statements: () => [
    'create index users_abandoned on users (state, created_at) where owns_email = 0',
    `create index idempotency_keys_in_progress on idempotency_keys (lease_until) where state = 'in_progress'`,
  ],
};
