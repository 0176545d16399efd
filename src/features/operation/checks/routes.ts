import type { DatabaseDeps } from '../../../database/database.ts';
import { cached } from '../../../lib/queues/shared-work.ts';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { dataSchema, recordSchema, text, timestamp } from '../../../lib/schema/json-schema.ts';
import { formatTimestamp, type MonotonicClock } from '../../../lib/time.ts';
import { describeResponse } from '../../../plugins/openapi/describe-response.ts';
import type { LiveSettings } from '../../../settings/live-settings.ts';
import type { BackupSettings } from '../../backups/status/list-backups.ts';
import type { MailSettings } from '../../mail/settings.ts';
import { checkBackups, checkConnection, checkContents } from './check-database.ts';
import {
  checkDisk,
  checkMail,
  checkSecretFiles,
  checkSettings,
  checkStoredSettings,
  checkTexts,
  type FileSettings,
  type ReviewedSettings,
} from './check-settings.ts';
import { type Finding, STATUSES, skipped } from './finding.ts';

const finding = recordSchema({
  check: { ...text, description: 'What was checked. A check may have several findings.' },
  status: { type: 'string', enum: STATUSES },
  message: { ...text, description: 'What is the case and, unless it is fine, what to do.' },
});

const checksSchema = dataSchema(
  recordSchema({
    generated_at: { ...timestamp, description: 'When the checks ended.' },
    checks: { type: 'array', items: finding },
  }),
);

const example = {
  message: 'Checks',
  data: {
    generated_at: '2026-01-05T09:30:00.000Z',
    checks: [
      { check: 'settings', status: 'ok', message: 'All settings are valid' },
      { check: 'disk', status: 'warning', message: '900 MiB are free in /srv/frontdesk/data: free space' },
    ],
  },
};

export const checks: FeaturePlugin<CheckDeps> = async (app, deps) => {
  const { monotonicClock } = deps;
  const check = cached(() => checkNode(deps), { lifetimeMs: CACHE_MS, monotonicClock });
  app.get(
    '/api/v1/admin/checks',
    {
      schema: {
        operationId: 'listChecks',
        tags: ['Administration'],
        summary: 'Check the node that responds',
        description:
          'Returns what the command `doctor` says, except that nothing is written: settings, database, clock, mail, disk and secret files. Takes up to five seconds if the mail server does not respond. Checked at most every five seconds; `generated_at` is when.',
        response: {
          200: describeResponse(checksSchema, {
            description: 'The findings.',
            examples: { checks: example },
          }),
        },
      },
      config: { access: 'admin', scope: 'settings:read' },
    },
    async () => ({ message: 'Checks', data: await check() }),
  );
};

/** The settings as they were read; secrets that are null are kept in files. */
export interface CheckedSettings extends FileSettings, ReviewedSettings {
  readonly databaseUrl: string | null;
  readonly mail: MailSettings;
  readonly textsDir: string | null;
  readonly backups: BackupSettings;
}

export interface CheckDeps extends DatabaseDeps {
  readonly monotonicClock: MonotonicClock;
  readonly checkedSettings: CheckedSettings;
  readonly settings: LiveSettings;
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

/** Each run connects to the mail server. */
const CACHE_MS = 5_000;
const MAIL_TIMEOUT_MS = 5_000;

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

function checkDatabase({ database, clock, checkedSettings, startedAt }: CheckDeps): Promise<Finding[]> {
  const rights = 'Only the command doctor checks the rights, in a transaction that is rolled back';
  const checkRights = async () => skipped('rights', rights);
  const now = clock();
  return checkConnection(database, checkedSettings, async () => [
    ...(await checkContents(database, { ...checkedSettings, skewMs: Date.now() - now, now, checkRights })),
    await checkBackups(database, checkedSettings.backups, { startedAt, now }),
  ]);
}
