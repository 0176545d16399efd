/** Finds what is wrong now. Every statement reads a bounded number of rows, whatever the number of users. */
import type { DatabaseDeps, Reader } from '../../database/database.ts';
import { DAY, HOUR, toDayNumber } from '../../lib/time.ts';
import { findBackupProblem, readBackupStatus } from '../backups/status/backup-events.ts';
import type { BackupSettings } from '../backups/status/list-backups.ts';
import { parseData } from '../events/event-view.ts';
import { findNumberBefore } from '../events/list/queries.ts';
import type { ProviderRow } from '../identity-providers/provider.ts';
import { listEnabledProviders } from '../identity-providers/queries.ts';
import { countJobsUpTo } from '../jobs/queries.ts';
import type { MailSettings } from '../mail/settings.ts';
import { countSignUpsByDay } from '../users/records/user-counters.ts';
import { listEndpoints } from '../webhooks/queries.ts';
import type { EndpointRow } from '../webhooks/webhook.ts';
import { type Alert, createAlert, formatAtMost, MAX_COUNTED } from './alert.ts';
import { countFailedMail, countHeldByForm, type FailedLoginRow, listFailures } from './queries.ts';

export interface AlertDeps extends DatabaseDeps {
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
  return [createAlert('backup', 'error', { message, since: status.created?.at ?? startedAt })];
}

const FAILED_MAIL_MS = 7 * DAY;

async function findMailAlerts({ database, mail }: AlertDeps, now: number): Promise<Alert[]> {
  const alerts: Alert[] = [];
  const ended = (await countFailedMail(database, { from: now - FAILED_MAIL_MS, limit: MAX_COUNTED + 1 }))!;
  if (ended.failed > 0) {
    const message = `${formatAtMost(ended.failed, 'message')} of the last 7 days failed for good`;
    const { failed: count, since } = ended;
    alerts.push(createAlert('mail_failed', 'error', { message, count, since }));
  }
  const search = { queue: 'mail', now, limit: MAX_COUNTED + 1 } as const;
  const { waiting, failed, oldest } = await countJobsUpTo(database, search);
  const reason = findDelay({ isOff: mail.smtp === null && !mail.toLog, failed, age: now - (oldest ?? now) });
  if (waiting > 0 && reason !== null) {
    const message = `${formatAtMost(waiting, 'message')} not sent yet: ${reason}`;
    alerts.push(createAlert('mail_waiting', 'warning', { message, count: waiting, since: oldest }));
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
  return forms.map(({ id, title, held: count, since }) => {
    const message = `${formatAtMost(count, 'submission')} to “${title}” ${count === 1 ? 'waits' : 'wait'} for a decision`;
    return createAlert('submissions_held', 'warning', { message, count, since, subject: `form:${id}` });
  });
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
  return [createAlert('sign_ups', 'warning', { message, count, since: today * DAY })];
}

async function findWebhookAlerts(reader: Reader): Promise<Alert[]> {
  return (await listEndpoints(reader)).flatMap((endpoint) => {
    const message = describeEndpoint(endpoint);
    if (message === null) return [];
    const { id, enabled, failing_since, updated_at } = endpoint;
    const severity = enabled === 1 ? 'warning' : 'error';
    const since = failing_since ?? updated_at;
    return createAlert('webhook_failing', severity, { message, since, subject: `webhook:${id}` });
  });
}

function describeEndpoint({ url, enabled, disabled_reason, failing_since }: EndpointRow): string | null {
  const name = `The webhook ${new URL(url).host}`;
  if (enabled === 1) return failing_since === null ? null : `${name} does not accept events`;
  if (disabled_reason === 'failing') return `${name} was disabled, because it accepted no event for days`;
  return disabled_reason === 'gone' ? `${name} was disabled, because it responded with 410` : null;
}

/** Fewer may be the fault of the browsers of a few people. */
const MIN_FAILURES = 3;
const LIMITED_FOR_MS = HOUR;

/** `failures`: of sign-ins with providers, the newest first. A change of the provider ends its alert. */
async function findProviderAlerts(reader: Reader, failures: readonly FailedLoginRow[]): Promise<Alert[]> {
  const parsed = failures
    .filter(({ reason }) => reason === 'identity_provider')
    .map(({ created_at, data }) => ({ at: created_at, ...readDetails(data) }))
    .filter(({ detail }) => detail !== 'access_denied');
  return (await listEnabledProviders(reader)).flatMap((provider) => createProviderAlerts(provider, parsed));
}

interface ProviderFailure {
  readonly at: number;
  readonly provider?: string;
  readonly detail?: string;
}

function createProviderAlerts({ id, name, updated_at }: ProviderRow, failures: readonly ProviderFailure[]) {
  const own = failures.filter(({ at, provider }) => provider === name && at > updated_at);
  if (own.length < MIN_FAILURES) return [];
  const message = `${formatAtMost(own.length, 'sign-in')} with ${name} failed in the last 24 hours: ${own[0]!.detail}`;
  const about = { message, since: own.at(-1)!.at, subject: `identity_provider:${id}` };
  return [createAlert('identity_provider_failing', 'error', about)];
}

function readDetails(data: string | null): { provider?: string; detail?: string } {
  return parseData({ data }).details ?? {};
}

/** Accounts whose logins were rejected within the last hour because of too many wrong passwords. */
function findLimitedAlerts(failures: readonly FailedLoginRow[], now: number): Alert[] {
  const limited = failures.filter(
    ({ reason, subject, created_at }) =>
      reason === 'limited' && subject !== null && created_at > now - LIMITED_FOR_MS,
  );
  const accounts = new Set(limited.map(({ subject }) => subject)).size;
  if (accounts === 0) return [];
  const message = `Sign-ins to ${formatAtMost(accounts, 'account')} were rejected in the last hour after too many wrong passwords`;
  const since = limited.at(-1)!.created_at;
  return [createAlert('logins_limited', 'warning', { message, count: accounts, since })];
}
