/** Makes the backups that BACKUP_DIR and BACKUP_EVERY ask for: one node at a time, each in a process of its own. */
import { type ChildProcess, fork } from 'node:child_process';
import { on } from 'node:events';
import type { Logger } from 'pino';
import { runAsSystem } from '../../callers/action-context.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { deleteSetting } from '../../database/settings.ts';
import {
  type BackupReport,
  type BackupStatus,
  nameBackup,
  REQUEST_SETTING,
  readBackupStatus,
  recordBackup,
} from '../../features/backups/status/backup-events.ts';
import { releaseLease, renewLease, takeLease } from '../../features/backups/status/lease.ts';
import { enqueueMail } from '../../features/mail/enqueue-mail.ts';
import { type Clock, HOUR, MINUTE } from '../../lib/time/clock.ts';
import type { BackupTask } from './backup-process.ts';

/** A backup that is due begins after this time at most, the first one after a start as well. */
const INTERVAL_MS = 15_000;
/** After a failure, if BACKUP_EVERY is not shorter. */
const RETRY_MS = HOUR;
/** Backups take a part of the time between them; one that hangs must not keep the next ones from being made. */
const MIN_LIMIT_MS = 6 * HOUR;
const PROGRAM = new URL('./backup-process.ts', import.meta.url);

export interface BackupDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly secretKey: string;
  /** Recipient of the message that backups fail. */
  readonly operatorEmail: string | null;
}

type Settings = Pick<Config, 'databaseUrl' | 'dataDir' | 'databasePool' | 'backups'>;

/** Starts to look for a backup that is due. `close` ends one that is being made. */
export function startBackups(settings: Settings, deps: BackupDeps) {
  let child: ChildProcess | null = null;
  let isStopped = false;
  let running: Promise<unknown> = Promise.resolve();
  const run = () =>
    runAsSystem(() =>
      makeIfDue(settings, deps, async (status) => {
        if (isStopped) return;
        child = fork(PROGRAM, { stdio: 'ignore' });
        const store = (report: BackupReport, task: BackupTask) =>
          isStopped && report.kind === 'failed' ? undefined : storeReport(deps, status, { report, task });
        await follow(child, { settings, deps, store }).finally(() => (child = null));
      }),
    );
  const look = async () => {
    await run().catch((error) => deps.logger.warn({ err: error }, 'backups could not be looked after'));
    if (!isStopped) timer.refresh();
  };
  const timer = setTimeout(() => {
    running = look();
  }, INTERVAL_MS).unref();
  if (settings.backups.directory === null) clearTimeout(timer);
  const close = async () => {
    isStopped = true;
    clearTimeout(timer);
    child?.kill('SIGKILL');
    await running;
  };
  return { run, close };
}

/** Calls `make` if a backup is due and no other node makes one. Returns whether it did. */
async function makeIfDue(
  settings: Settings,
  { database, clock }: BackupDeps,
  make: (status: BackupStatus) => Promise<void>,
): Promise<boolean> {
  if (!isDue(await readBackupStatus(database), settings, clock())) return false;
  if (!(await takeLease(database, clock()))) return false;
  try {
    // Another node may have made one before it released the lease.
    const status = await readBackupStatus(database);
    if (!isDue(status, settings, clock())) return false;
    await database.transaction((tx) => deleteSetting(tx, REQUEST_SETTING));
    await make(status);
    return true;
  } finally {
    await releaseLease(database);
  }
}

function isDue({ created, failed, isRequested }: BackupStatus, { backups }: Settings, now: number): boolean {
  if (isRequested) return true;
  const everyMs = backups.everyHours * HOUR;
  if (failed !== null && failed.at > (created?.at ?? 0))
    return now - failed.at >= Math.min(everyMs, RETRY_MS);
  return created === null || now - created.at >= everyMs;
}

/** Stores what the process reports, until it ends. */
async function follow(
  child: ChildProcess,
  {
    settings: { databaseUrl, dataDir, databasePool, backups },
    deps: { database, clock, logger, secretKey },
    store,
  }: {
    settings: Settings;
    deps: BackupDeps;
    store: (report: BackupReport, task: BackupTask) => Promise<void> | undefined;
  },
): Promise<void> {
  const { everyHours, directory, ...rest } = backups;
  const name = nameBackup(clock(), backups.recipient !== null);
  const settings = { databaseUrl, dataDir, databasePool };
  const task: BackupTask = { ...rest, database: settings, secretKey, directory: directory!, name };
  const limitMs = Math.max(2 * everyHours * HOUR, MIN_LIMIT_MS);
  let failure = 'its process was ended';
  const timeout = setTimeout(() => {
    failure = `it took longer than ${limitMs / HOUR} hours`;
    child.kill('SIGKILL');
  }, limitMs).unref();
  const renewal = setInterval(() => {
    renewLease(database, clock()).catch((error) => logger.warn({ err: error }, 'lease'));
  }, MINUTE).unref();
  try {
    const messages = on(child, 'message', { close: ['disconnect'] });
    child.send(task);
    for await (const [message] of messages) {
      if (message.kind === 'done') return;
      await store(message, task);
      if (message.kind === 'failed') return;
    }
    await store({ kind: 'failed', message: failure }, task);
  } finally {
    clearTimeout(timeout);
    clearInterval(renewal);
  }
}

/** `before`: the status before this backup. */
async function storeReport(
  { database, clock, logger, operatorEmail }: BackupDeps,
  before: BackupStatus,
  { report, task: { name: file } }: { report: BackupReport; task: BackupTask },
): Promise<void> {
  const now = clock();
  logger[report.kind === 'failed' ? 'warn' : 'info']({ backup: { file, ...report } }, 'backup');
  // Once, until a backup succeeds: the attempts of each hour say nothing new.
  const isKnown = before.failed !== null && before.failed.at >= (before.created?.at ?? 0);
  await database.transaction(async (tx) => {
    await recordBackup(tx, report, { file, now });
    if (report.kind !== 'failed' || operatorEmail === null || isKnown) return;
    const mail = { userId: null, email: operatorEmail, isByAdministrator: true, now } as const;
    await enqueueMail(tx, { kind: 'backup_failed', ...mail, data: { reason: report.message } });
  });
}
