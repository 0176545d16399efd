/** The checks that a running node makes of itself. They write nothing and send nothing. */
import type { Database } from '../../../database/database.ts';
import { cached } from '../../../lib/cached.ts';
import { type Clock, formatTimestamp, type MonotonicClock } from '../../../lib/time/clock.ts';
import type { LiveSettings } from '../../../settings/live-settings.ts';
import type { MailSettings } from '../../mail/settings.ts';
import {
  checkClock,
  checkConnection,
  checkMetadataIndex,
  checkQueue,
  checkSchema,
} from './check-database.ts';
import { checkDisk, checkSecretFiles, type FileSettings } from './check-files.ts';
import { checkMail } from './check-mail.ts';
import { checkSettings, checkStoredSettings, checkTexts, type ReviewedSettings } from './check-settings.ts';
import { type Finding, skipped } from './finding.ts';

/** The settings as they were read; secrets that are null are kept in files. */
export interface CheckedSettings extends FileSettings, ReviewedSettings {
  readonly databaseUrl: string | null;
  readonly mail: MailSettings;
  readonly textsDir: string | null;
}

export interface CheckDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  readonly checkedSettings: CheckedSettings;
  readonly settings: LiveSettings;
}

/** Each run connects to the mail server. */
const CACHE_MS = 5_000;
const MAIL_TIMEOUT_MS = 5_000;
/** As at the start of the clock. */
const REPORTED_SKEW_MS = 5_000;

/** Creates the function that checks the node: once at a time, and at most every five seconds. */
export function createChecks(deps: CheckDeps) {
  const { monotonicClock } = deps;
  return cached(() => checkNode(deps), { lifetimeMs: CACHE_MS, monotonicClock });
}

async function checkNode(deps: CheckDeps) {
  const { checkedSettings: settings } = deps;
  const findings = await Promise.all([
    checkSettings(settings),
    checkTexts(settings),
    checkStoredSettings(deps.settings.ignored),
    checkDatabase(deps),
    checkMail(settings.mail, MAIL_TIMEOUT_MS),
    checkDisk(settings),
    checkSecretFiles(settings),
  ]);
  return { generated_at: formatTimestamp(deps.clock()), checks: findings.flat() };
}

function checkDatabase({ database, clock, checkedSettings }: CheckDeps): Promise<Finding[]> {
  return checkConnection(database, checkedSettings, async () => {
    const skewMs = Date.now() - clock();
    return [
      await checkSchema(database),
      checkClock(Math.abs(skewMs) > REPORTED_SKEW_MS ? skewMs : 0),
      skipped('rights', 'Only the command doctor checks the rights, in a transaction that is rolled back'),
      await checkQueue(database, clock()),
      ...(await checkMetadataIndex(database)),
    ];
  });
}
