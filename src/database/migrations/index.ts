import { accounts } from './0001-accounts.ts';
import { retriesAndLimits } from './0002-retries-and-limits.ts';
import { networksByAge } from './0003-networks-by-age.ts';
import { scopes } from './0004-scopes.ts';
import { failedAttempts } from './0005-failed-attempts.ts';
import { counters } from './0006-counters.ts';
import { cleanupIndexes } from './0007-cleanup-indexes.ts';
import { selfService } from './0008-self-service.ts';
import { consoleSessions } from './0009-console-sessions.ts';
import { mailLimits } from './0010-mail-limits.ts';
import { eventsOfOneUser } from './0011-events-of-one-user.ts';
import { firstLogins } from './0012-first-logins.ts';
import { jobs } from './0013-jobs.ts';
import { events } from './0014-events.ts';
import { webhooks } from './0015-webhooks.ts';
import { userSearch } from './0016-user-search.ts';
import { metadata } from './0017-metadata.ts';
import { eventsOfActors } from './0018-events-of-actors.ts';
import { runTimeSettings } from './0019-run-time-settings.ts';
import { mailMessages } from './0020-mail-messages.ts';
import { tokenDevices } from './0021-token-devices.ts';
import { credentials } from './0022-credentials.ts';
import { signingKeys } from './0023-signing-keys.ts';
import { secondFactors } from './0024-second-factors.ts';
import { metadataIndex } from './0025-metadata-index.ts';
import { activeMinutes } from './0026-active-minutes.ts';
import { textSearch } from './0027-text-search.ts';
import { unorderedJobs } from './0028-jobs.ts';
import type { Migration } from './migration.ts';

/** In order. Append only. */
export const migrations: readonly Migration[] = [
  accounts,
  retriesAndLimits,
  networksByAge,
  scopes,
  failedAttempts,
  counters,
  cleanupIndexes,
  selfService,
  consoleSessions,
  mailLimits,
  eventsOfOneUser,
  firstLogins,
  jobs,
  events,
  webhooks,
  userSearch,
  metadata,
  eventsOfActors,
  runTimeSettings,
  mailMessages,
  tokenDevices,
  credentials,
  signingKeys,
  secondFactors,
  metadataIndex,
  activeMinutes,
  textSearch,
  unorderedJobs,
];
