import { createAccounts } from './baseline/accounts.ts';
import { createAdministration } from './baseline/administration.ts';
import { createEvents } from './baseline/events.ts';
import { createMail } from './baseline/mail.ts';
import { createRequests } from './baseline/requests.ts';
import { createSearch } from './baseline/search.ts';
import { createStatistics } from './baseline/statistics.ts';
import { createTokens } from './baseline/tokens.ts';
import { createWebhooks } from './baseline/webhooks.ts';
import type { Migration } from './migration.ts';

/** The schema that the migrations 1 to 27 of earlier releases have made. */
export const baseline: Migration = {
  version: 27,
  name: 'baseline',
  statements: (dialect) =>
    [
      createAccounts,
      createSearch,
      createTokens,
      createRequests,
      createStatistics,
      createMail,
      createEvents,
      createWebhooks,
      createAdministration,
    ].flatMap((create) => create(dialect)),
};
