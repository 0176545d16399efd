/** Makes the backups that BACKUP_DIR and BACKUP_EVERY ask for: one node at a time, each in a process of its own. */
import { type ChildProcess, fork } from 'node:child_process';
import { on } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { runAsSystem } from '../../callers/action-context.ts';
import type { Config } from '../../config.ts';
import type { DatabaseDeps } from '../../database/database.ts';
import { deleteSetting, readSetting } from '../../database/settings.ts';
import { createLedgerWriter } from '../../features/backups/ledger.ts';
import {
  type BackupReport,
  type BackupStatus,
  getNextTime,
  REQUEST_SETTING,
  readBackupStatus,
  recordBackup,
} from '../../features/backups/status/backup-events.ts';
import { deleteSuperseded, findFreeName, recordFile } from '../../features/backups/status/backup-files.ts';
import { type Lease, RENEWAL_MS, takeLease } from '../../features/backups/status/lease.ts';
import { enqueueMail } from '../../features/mail/enqueue-mail.ts';
import { removeAbandoned } from '../../lib/files.ts';
import { HOUR } from '../../lib/time.ts';
import type { BackupTask } from './backup-process.ts';

/** A backup that is due begins after this time at most, the first one after a start as well. */
const INTERVAL_MS = 15_000;
/** Backups take a part of the time between them; one that hangs must not keep the next ones from being made. */
const MIN_LIMIT_MS = 6 * HOUR;
const PROGRAM = new URL('./backup-process.ts', import.meta.url);

interface BackupDeps extends DatabaseDeps {
  readonly logger: Logger;
  readonly secretKey: string;
  /** Recipient of the message that backups fail. */
  readonly operatorEmail: string | null;
}

type Settings = Pick<Config, 'databaseUrl' | 'dataDir' | 'databasePool' | 'backups'>;

/** Starts to look for a backup that is due, and to write the ledger. `close` ends a backup that is being made. */
export function startBackups(settings: Settings, deps: BackupDeps) {
  const { directory } = settings.backups;
  let child: ChildProcess | null = null;
  let isStopped = false;
  // A process that was killed has left a copy of all data.
  const removeCopies = () => removeAbandoned(settings.dataDir, 'drill');
  removeCopies();
  const run = () =>
    runAsSystem(() =>
      makeIfDue(settings, deps, async (status, lease) => {
        if (isStopped) return;
        child = fork(PROGRAM, { stdio: 'ignore' });
        const store = async (report: BackupReport, task: BackupTask) => {
          if (isStopped && report.kind === 'failed') return;
          await storeReport(deps, status, { report, task });
        };
        await follow(child, { settings, deps, lease, store }).finally(() => (child = null));
        removeCopies();
        await deleteSuperseded(deps.database, { ...settings.backups, directory: directory! });
      }),
    );
  const writeLedger = createLedgerWriter(deps.database, directory ?? '');
  const stops =
    directory === null ? [] : [run, writeLedger].map((work) => repeat(work, INTERVAL_MS, deps.logger));
  const close = async () => {
    isStopped = true;
    const stopped = Promise.all(stops.map((stop) => stop()));
    child?.kill('SIGKILL');
    await stopped;
    removeCopies();
  };
  return { run, close };
}

/** Calls `work` again and again. Returns the function that stops it, and waits for the end of the last call. */
function repeat(work: () => Promise<unknown>, pauseMs: number, logger: Logger): () => Promise<void> {
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  const attempt = async () => {
    await work().catch((error) => logger.warn({ err: error }, 'a step of the scheduled backups failed'));
    if (!isStopped) timer.refresh();
  };
  const timer = setTimeout(() => {
    running = attempt();
  }, pauseMs).unref();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    return running;
  };
}

/** Calls `make` if a backup is due and no other node makes one. Returns whether it did. */
async function makeIfDue(
  { backups: { everyHours } }: Settings,
  { database, clock }: BackupDeps,
  make: (status: BackupStatus, lease: Lease) => Promise<void>,
): Promise<boolean> {
  const readDue = async () => {
    const status = await readBackupStatus(database, clock());
    return clock() >= getNextTime(status, everyHours) ? status : null;
  };
  if ((await readDue()) === null) return false;
  const lease = await takeLease(database, clock());
  if (lease === null) return false;
  try {
    // Another node may have made one before it released the lease.
    const status = await readDue();
    if (status === null) return false;
    await make(status, lease);
    return true;
  } finally {
    await lease.release();
  }
}

/** Stores what the process reports, until it ends. */
async function follow(
  child: ChildProcess,
  {
    settings: { databaseUrl, dataDir, databasePool, backups },
    deps: { clock, logger, secretKey },
    lease,
    store,
  }: {
    settings: Settings;
    deps: BackupDeps;
    lease: Lease;
    store: (report: BackupReport, task: BackupTask) => Promise<void>;
  },
): Promise<void> {
  const { everyHours, directory, keep: _, ...rest } = backups;
  const settings = { databaseUrl, dataDir, databasePool };
  const names = { has: (name: string) => existsSync(join(directory!, name)) };
  const name = findFreeName(names, { now: clock(), isEncrypted: backups.recipient !== null });
  const task: BackupTask = { ...rest, database: settings, secretKey, directory: directory!, name };
  const limitMs = Math.max(2 * everyHours * HOUR, MIN_LIMIT_MS);
  let failure: string | null = 'its process was ended';
  const end = (reason: string | null) => {
    failure = reason;
    child.kill('SIGKILL');
  };
  const timeout = setTimeout(() => end(`it took longer than ${limitMs / HOUR} hours`), limitMs).unref();
  const renew = async () => {
    // Another node makes the backup now: nothing has failed.
    if (!(await lease.renew(clock()))) end(null);
  };
  const stopRenewal = repeat(renew, RENEWAL_MS, logger);
  try {
    const messages = on(child, 'message', { close: ['disconnect'] });
    child.send(task);
    for await (const [message] of messages) {
      if (message.kind === 'done') return;
      await store(message, task);
      if (message.kind === 'failed') return;
    }
    if (failure !== null) await store({ kind: 'failed', message: failure }, task);
  } finally {
    clearTimeout(timeout);
    await stopRenewal();
  }
}

/** `before`: the status before this backup, whose request is fulfilled by any report. */
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
    await recordFile(tx, { file, state: report.kind });
    // Not that of a later request.
    if ((await readSetting(tx, REQUEST_SETTING)) === before.request) await deleteSetting(tx, REQUEST_SETTING);
    if (report.kind !== 'failed' || operatorEmail === null || isKnown) return;
    const mail = { userId: null, email: operatorEmail, isByAdministrator: true, now } as const;
    await enqueueMail(tx, { kind: 'backup_failed', ...mail, data: { reason: report.message } });
  });
}
