/** Checks the database: its connection, schema, clock and queue, and that backups are made. Changes nothing. */
import type { Database, Reader } from '../../../database/database.ts';
import { compareSchema } from '../../../database/migrate.ts';
import { isExposed } from '../../../database/open.ts';
import { formatCount } from '../../../lib/text/text.ts';
import { DAY, formatTimestamp, HOUR } from '../../../lib/time.ts';
import type { ApplicationRow } from '../../applications/application.ts';
import { listApplications } from '../../applications/queries.ts';
import { formatApplicationSubject } from '../../applications/rules.ts';
import { findBackupProblem, readBackupStatus } from '../../backups/status/backup-events.ts';
import type { BackupSettings } from '../../backups/status/list-backups.ts';
import { listCredentials } from '../../credentials/queries.ts';
import { parseData } from '../../events/event-view.ts';
import { findLatestEvent } from '../../events/queries.ts';
import { countJobsUpTo } from '../../jobs/queries.ts';
import { findOtherRpId } from '../../people/passkeys/queries.ts';
import type { RelyingParty } from '../../people/sign-in/relying-party.ts';
import { type Finding, failure, getReason, MIGRATE, ok, warning } from './finding.ts';

/** Returns that the database is reachable and what `checkContents` finds, or why it is not. */
export async function checkConnection(
  database: Database,
  settings: { readonly databaseUrl: string | null },
  checkContents: () => Promise<Finding[]>,
): Promise<Finding[]> {
  try {
    await database.ping();
    const exposed = warning(
      'database',
      'the connection leaves this machine without TLS: add sslmode=verify-full',
    );
    const reachable = ok('database', `${database.location} is reachable`);
    return [reachable, ...(isExposed(settings) ? [exposed] : []), ...(await checkContents())];
  } catch (error) {
    return [unreachable(error)];
  }
}

/** `skewMs`: by how much the clock of this machine is ahead. Of a schema of another release, only that is a finding. */
export async function checkContents(
  database: Database,
  settings: {
    readonly skewMs: number;
    readonly now: number;
    readonly publicUrl: string;
    readonly trustProxy: readonly string[];
    readonly relyingParty: RelyingParty | null;
    readonly checkRights: () => Promise<Finding>;
  },
): Promise<Finding[]> {
  const { now } = settings;
  const findings = [await checkSchema(database), checkClock(settings.skewMs)];
  if (findings[0]!.status !== 'ok') return findings;
  const [rights, queue] = [await settings.checkRights(), await checkQueue(database, now)];
  const others = [
    await checkApplications(database, settings.publicUrl, now),
    await checkForwarders(database, settings.trustProxy),
    await checkPasskeys(database, settings.relyingParty),
  ];
  return [...findings, rights, queue, ...others.flat()];
}

async function checkApplications(database: Database, publicUrl: string, now: number): Promise<Finding[]> {
  const applications = await listApplications(database);
  const rejections = await Promise.all(applications.map((row) => checkRejections(database, row, now)));
  return [...checkIssuer(publicUrl, applications.length), ...rejections.flat()];
}

/** Returns why the last request for a sign-in within a day was rejected, if one was. */
async function checkRejections(database: Database, row: ApplicationRow, now: number): Promise<Finding[]> {
  const { id, name } = row;
  const latest = await findLatestEvent(database, formatApplicationSubject(id), 'application.rejected');
  if (latest === undefined || latest.created_at < now - DAY) return [];
  const { details } = parseData(latest);
  const time = formatTimestamp(latest.created_at);
  const text = `a request for a sign-in to ${name} was rejected at ${time}: ${details?.description}`;
  return [warning('applications', `${text} (see /docs/oidc#when-it-does-not-work)`)];
}

function checkIssuer(publicUrl: string, applications: number): Finding[] {
  if (publicUrl.startsWith('https:') || applications === 0) return [];
  const advice = 'clients accept an issuer by http on their own machine only; set it to an https URL';
  return [
    warning('applications', `There are applications, but PUBLIC_URL does not begin with https: ${advice}`),
  ];
}

/** The X-Forwarded-For of a program at an address in TRUST_PROXY is that of a proxy. */
async function checkForwarders(database: Database, trustProxy: readonly string[]): Promise<Finding[]> {
  if (trustProxy.length === 0) return [];
  const advice = 'a program at such an address must send Forwarded; set networks to where the program runs';
  return (await listCredentials(database))
    .filter(({ networks, scopes }) => networks === null && scopes.split(' ').includes('clients:forward'))
    .map(({ name }) =>
      warning('credentials', `${name} may forward clients from addresses in TRUST_PROXY: ${advice}`),
    );
}

/** Passkeys cannot be moved to another domain. */
async function checkPasskeys(database: Database, relyingParty: RelyingParty | null): Promise<Finding[]> {
  const id = relyingParty?.id ?? '';
  const other = await findOtherRpId(database, id);
  if (other === undefined) return [];
  const text = `there are passkeys of ${other.rp_id}, which nobody can use`;
  return [
    warning('passkeys', `${text}: set PUBLIC_URL or RP_ID to this domain (see /docs/operations#passkeys)`),
  ];
}

export function unreachable(error: unknown): Finding {
  return failure('database', `${getReason(error)}: check DATABASE_URL, DATA_DIR and the database server`);
}

/** As at the start of the clock. */
const REPORTED_SKEW_MS = 5_000;

function checkClock(skewMs: number): Finding {
  if (Math.abs(skewMs) <= REPORTED_SKEW_MS) return ok('clock', 'The clock agrees with that of the database');
  const seconds = Math.round(skewMs / 1000);
  return warning(
    'clock',
    `The clock differs by ${seconds} s from that of the database: synchronise both (NTP)`,
  );
}

async function checkSchema(database: Database): Promise<Finding> {
  const { missing, waiting, newer } = await compareSchema(database);
  if (missing > 0)
    return warning('schema', `the schema lacks ${formatCount(missing, 'migration')}: ${MIGRATE}`);
  if (newer !== null)
    return ok('schema', `The schema is that of a later release (version ${newer}), and this one runs on it`);
  const rest = waiting === 0 ? '' : `. ${formatWaiting(waiting)}`;
  return ok('schema', `The schema is that of this release${rest}`);
}

/** Describes the contract migrations that wait for the operator. */
export function formatWaiting(count: number): string {
  const verb = count === 1 ? 'waits' : 'wait';
  return `${formatCount(count, 'contract migration')} ${verb}: run "npm run cli -- migrate --contract" when all nodes run this release`;
}

const MAX_MESSAGES = 1_000;

async function checkQueue(database: Database, now: number): Promise<Finding> {
  const { waiting, failed, oldest } = await countJobsUpTo(database, {
    queue: 'mail',
    now,
    limit: MAX_MESSAGES + 1,
  });
  const details = 'see "npm run cli -- api listMail --state waiting"';
  if (failed > 0)
    return warning('mail queue', `${formatCount(failed, 'message')} could not be delivered yet: ${details}`);
  if (oldest !== null && oldest < now - HOUR)
    return warning('mail queue', `a message has waited for more than an hour: ${details}`);
  if (waiting > MAX_MESSAGES)
    return warning('mail queue', `more than ${MAX_MESSAGES} messages wait: ${details}`);
  return ok('mail queue', 'no message waits for long');
}

/** `startedAt`: since when the service could have made one, in epoch milliseconds. */
export async function checkBackups(
  database: Reader,
  { directory, everyHours, verifies }: BackupSettings,
  { startedAt, now }: { readonly startedAt: number; readonly now: number },
): Promise<Finding> {
  if (directory === null) return ok('backups', 'BACKUP_DIR is not set: the service makes no backups');
  const status = await readBackupStatus(database, now);
  const { created, verified } = status;
  const problem = findBackupProblem(status, { everyHours, verifies, startedAt, now });
  if (problem !== null) return warning('backups', `${problem}: see "npm run cli -- api listBackups"`);
  if (created === null) return ok('backups', 'the first backup is about to be made');
  const made = `the last backup is of ${formatTimestamp(created.at)}`;
  if (!verifies) return ok('backups', `${made}, and BACKUP_VERIFY is off`);
  return ok(
    'backups',
    `${made}; the last verified one of ${verified === null ? '-' : formatTimestamp(verified.at)}`,
  );
}
