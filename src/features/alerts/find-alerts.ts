/** Finds what is wrong now. Every statement reads a bounded number of rows, whatever the number of users. */
import type { Database, Reader } from '../../database/database.ts';
import { type Clock, DAY, HOUR, toDayNumber } from '../../lib/time.ts';
import { findBackupProblem, readBackupStatus } from '../backups/status/backup-events.ts';
import type { BackupSettings } from '../backups/status/list-backups.ts';
import { findNumberBefore } from '../events/list/queries.ts';
import { countJobsUpTo } from '../jobs/queries.ts';
import type { MailSettings } from '../mail/settings.ts';
import { countSignUpsByDay } from '../users/records/user-counters.ts';
import { type Alert, formatAtMost, MAX_COUNTED } from './alert.ts';
import { findLimitedAlerts, findProviderAlerts, findWebhookAlerts } from './find-connection-alerts.ts';
import { countFailedMail, countHeldByForm, listFailures } from './queries.ts';

export interface AlertDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly mail: MailSettings;
  readonly backups: BackupSettings;
}

/** Returns errors before warnings. */
export async function findAlerts(deps: AlertDeps): Promise<Alert[]> {
  const { database, clock } = deps;
  const now = clock();
  const latest = await listFailures(database, await findNumberBefore(database, now - DAY), MAX_COUNTED + 1);
  const failures = latest.filter(({ type, created_at }) => type === 'login.failed' && created_at > now - DAY);
  const alerts = [
    await findBackupAlerts(deps, now),
    await findWebhookAlerts(database),
    await findProviderAlerts(database, failures),
    await findMailAlerts(deps, now),
    await findHeldAlerts(database),
    findLimitedAlerts(failures, now),
    await findSignUpAlerts(database, now),
  ].flat();
  return alerts.sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'));
}

async function findBackupAlerts({ database, backups, startedAt }: AlertDeps, now: number): Promise<Alert[]> {
  if (backups.directory === null) return [];
  const status = await readBackupStatus(database, now);
  const problem = findBackupProblem(status, { ...backups, startedAt, now });
  if (problem === null) return [];
  const message = problem.charAt(0).toUpperCase() + problem.slice(1);
  return [
    {
      kind: 'backup',
      severity: 'error',
      message,
      count: 1,
      since: status.created?.at ?? startedAt,
      subject: null,
    },
  ];
}

const FAILED_MAIL_MS = 7 * DAY;

async function findMailAlerts({ database, mail }: AlertDeps, now: number): Promise<Alert[]> {
  const alerts: Alert[] = [];
  const ended = (await countFailedMail(database, { from: now - FAILED_MAIL_MS, limit: MAX_COUNTED + 1 }))!;
  if (ended.failed > 0) {
    const message = `${formatAtMost(ended.failed, 'message')} of the last 7 days failed for good`;
    const { failed: count, since } = ended;
    alerts.push({ kind: 'mail_failed', severity: 'error', message, count, since, subject: null });
  }
  const search = { queue: 'mail', now, limit: MAX_COUNTED + 1 } as const;
  const { waiting, failed, oldest } = await countJobsUpTo(database, search);
  const reason = findDelay({ isOff: mail.smtp === null && !mail.toLog, failed, age: now - (oldest ?? now) });
  if (waiting > 0 && reason !== null) {
    const message = `${formatAtMost(waiting, 'message')} not sent yet: ${reason}`;
    const found = { count: waiting, since: oldest, subject: null };
    alerts.push({ kind: 'mail_waiting', severity: 'warning', message, ...found });
  }
  return alerts;
}

function findDelay({ isOff, failed, age }: { isOff: boolean; failed: number; age: number }): string | null {
  if (isOff) return 'SMTP_URL is not set';
  if (failed > 0) return 'the mail server did not accept them at the first attempt';
  return age > HOUR ? 'the first has waited for more than an hour' : null;
}

async function findHeldAlerts(reader: Reader): Promise<Alert[]> {
  const forms = await countHeldByForm(reader, MAX_COUNTED + 1);
  return forms.map(({ id, title, held, since }) => ({
    kind: 'submissions_held',
    severity: 'warning',
    message: `${formatAtMost(held, 'submission')} to “${title}” ${held === 1 ? 'waits' : 'wait'} for a decision`,
    count: held,
    since,
    subject: `form:${id}`,
  }));
}

const USUAL_DAYS = 7;
const WAVE = { users: 50, factor: 5 };

/** Compares today with a usual day. A service that had no users before has no usual day. */
async function findSignUpAlerts(reader: Reader, now: number): Promise<Alert[]> {
  const today = toDayNumber(now);
  const counts = await countSignUpsByDay(reader, today - USUAL_DAYS, today);
  const count = counts.get(today) ?? 0;
  const before = [...counts].reduce((sum, [day, users]) => (day < today ? sum + users : sum), 0);
  const usual = Math.round(before / USUAL_DAYS);
  if (before === 0 || count < WAVE.users || count < WAVE.factor * usual) return [];
  const message = `${count.toLocaleString('en')} users are new today, and about ${usual.toLocaleString('en')} a day were in the week before`;
  return [{ kind: 'sign_ups', severity: 'warning', message, count, since: today * DAY, subject: null }];
}
