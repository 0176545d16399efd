import type { Migration } from './migration.ts';

/** Deliveries without order: those that waited for an earlier one about their subject are due, in any order. */
export const unorderedJobs: Migration = {
  version: 28,
  name: 'jobs without order',
  kind: 'contract',
  statements: () => [
    'drop index jobs_lane_first',
    'drop index jobs_lane_waiting',
    // The latest time of a date was that of jobs that waited.
    'update jobs set next_attempt_at = created_at where next_attempt_at = 8640000000000000',
    'alter table jobs drop column lane',
    'alter table jobs drop column event_number',
    'alter table webhook_endpoints drop column replay_next_number',
    'alter table webhook_endpoints drop column replay_last_number',
    'alter table webhook_endpoints drop column replay_from',
    'alter table webhook_endpoints drop column replay_to',
  ],
};
