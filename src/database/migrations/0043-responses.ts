import type { Migration } from './migration.ts';

/** What an attempt to deliver an event has sent, apart from what its delivery tells, and the response to it. */
export const responses: Migration = {
  version: 43,
  name: 'responses to deliveries',
  kind: 'expand',
  statements: ({ key, text }) => [
    `alter table webhook_attempts add column request ${text}`,
    `alter table webhook_attempts add column response ${text}`,
    `alter table webhook_endpoints add column last_error ${key}`,
  ],
};
