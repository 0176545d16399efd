/** The checks that a running node makes of itself. They write nothing and send nothing. */
import type { Database } from '../../../database/database.ts';
import { cached } from '../../../lib/cached.ts';
import { type Clock, type MonotonicClock, timestamp } from '../../../lib/time/clock.ts';
import type { LiveSettings } from '../../../settings/live-settings.ts';
import type { MailSettings } from '../../mail/settings.ts';
import { checkClock, checkTls } from './check-connection.ts';
import { checkDisk, checkSecretFiles, type FileSettings } from './check-files.ts';
import { checkMail, checkQueue } from './check-mail.ts';
import { checkMetadataIndex } from './check-metadata-index.ts';
import { checkSchema } from './check-schema.ts';
import { checkSettings, type ReviewedSettings } from './check-settings.ts';
import { checkStoredSettings } from './check-stored-settings.ts';
import { checkTexts } from './check-texts.ts';
import { type Finding, failure, getReason, ok, skipped } from './finding.ts';

/** The settings as they were read: what is null is kept in a file. */
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
  return { generated_at: timestamp(deps.clock()), checks: findings.flat() };
}

async function checkDatabase({ database, clock, checkedSettings }: CheckDeps): Promise<Finding[]> {
  try {
    await database.ping();
    const skewMs = Date.now() - clock();
    return [
      ok('database', `${database.location} is reachable`),
      ...checkTls(checkedSettings),
      await checkSchema(database),
      checkClock(Math.abs(skewMs) > REPORTED_SKEW_MS ? skewMs : 0),
      skipped('rights', 'Only the command doctor checks the rights, in a transaction that is rolled back'),
      await checkQueue(database, clock()),
      ...(await checkMetadataIndex(database)),
    ];
  } catch (error) {
    return [failure('database', `${getReason(error)}: check DATABASE_URL, DATA_DIR and the database server`)];
  }
}
