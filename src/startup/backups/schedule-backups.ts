/** Makes the backups that BACKUP_DIR and BACKUP_EVERY ask for: one node at a time, each in a process of its own. */
import { type ChildProcess, fork } from 'node:child_process';
import { on } from 'node:events';
import type { Logger } from 'pino';
import { runAsSystem } from '../../callers/action-context.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { deleteSetting } from '../../database/settings.ts';
import { releaseLease, renewLease, takeLease } from '../../features/backups/lease.ts';
import {
  type BackupStatus,
  REQUEST_SETTING,
  readBackupStatus,
} from '../../features/backups/status/read-status.ts';
import {
  nameBackup,
  recordCreated,
  recordFailed,
  recordVerified,
} from '../../features/backups/status/record-backup.ts';
import { enqueueMail } from '../../features/mail/enqueue-mail.ts';
import { type Clock, HOUR, MINUTE } from '../../lib/time/clock.ts';
import { type Schedule, scheduleByTimer } from '../housekeeping.ts';
import type { BackupMessage, BackupTask } from './backup-process.ts';

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
  /** Replaces the timers of the process in tests. */
  readonly schedule?: Schedule | undefined;
}

type Settings = Pick<Config, 'databaseUrl' | 'dataDir' | 'databasePool' | 'backups'>;

/** Starts to look for a backup that is due. `close` ends one that is being made. */
export function startBackups(settings: Settings, deps: BackupDeps) {
  const { schedule = scheduleByTimer, logger } = deps;
  const maker = createMaker(settings, deps);
  let running: Promise<unknown> = Promise.resolve();
  let cancel = () => {};
  const look = async () => {
    await maker.run().catch((error) => logger.warn({ err: error }, 'backups could not be looked after'));
    repeat();
  };
  const repeat = () => {
    cancel = schedule(() => {
      running = look();
    }, INTERVAL_MS);
  };
  if (settings.backups.directory !== null) repeat();
  const close = async () => {
    cancel();
    maker.stop();
    await running;
    cancel();
  };
  return { run: maker.run, close };
}

function createMaker(settings: Settings, deps: BackupDeps) {
  const { database, clock } = deps;
  let child: ChildProcess | null = null;
  let isStopped = false;
  /** Makes a backup if it is due and no other node makes one. Returns whether one was begun. */
  const run = async (): Promise<boolean> => {
    if (!isDue(await readBackupStatus(database), settings, clock())) return false;
    if (!(await takeLease(database, clock()))) return false;
    try {
      // Another node may have made one before it released the lease.
      const status = await readBackupStatus(database);
      if (!isDue(status, settings, clock())) return false;
      await database.transaction((tx) => deleteSetting(tx, REQUEST_SETTING));
      child = fork(PROGRAM, { stdio: 'ignore' });
      await follow(child, { settings, deps, status, isStopped: () => isStopped });
      return true;
    } finally {
      child = null;
      await releaseLease(database);
    }
  };
  const stop = () => {
    isStopped = true;
    child?.kill('SIGKILL');
  };
  return { run: () => runAsSystem(run), stop };
}

function isDue({ created, failed, isRequested }: BackupStatus, { backups }: Settings, now: number): boolean {
  if (isRequested) return true;
  const everyMs = backups.everyHours * HOUR;
  if (failed !== null && failed.at > (created?.at ?? 0))
    return now - failed.at >= Math.min(everyMs, RETRY_MS);
  return created === null || now - created.at >= everyMs;
}

interface Run {
  readonly settings: Settings;
  readonly deps: BackupDeps;
  /** Before this backup. */
  readonly status: BackupStatus;
  /** Whether the service stops, which is no failure. */
  readonly isStopped: () => boolean;
}

/** Stores what the process reports, until it ends. */
async function follow(child: ChildProcess, run: Run): Promise<void> {
  const { settings, deps } = run;
  const task = createTask(settings, deps);
  const limitMs = Math.max(2 * settings.backups.everyHours * HOUR, MIN_LIMIT_MS);
  let failure = 'its process was ended';
  const timeout = setTimeout(() => {
    failure = `it took longer than ${limitMs / HOUR} hours`;
    child.kill('SIGKILL');
  }, limitMs).unref();
  const renewal = setInterval(() => {
    renewLease(deps.database, deps.clock()).catch((error) => deps.logger.warn({ err: error }, 'lease'));
  }, MINUTE).unref();
  try {
    const messages = on(child, 'message', { close: ['disconnect'] });
    child.send(task);
    for await (const [message] of messages) {
      if (message.kind === 'done') return;
      await store(message, task, run);
      if (message.kind === 'failed') return;
    }
    if (!run.isStopped()) await store({ kind: 'failed', message: failure }, task, run);
  } finally {
    clearTimeout(timeout);
    clearInterval(renewal);
  }
}

function createTask({ databaseUrl, dataDir, databasePool, backups }: Settings, deps: BackupDeps): BackupTask {
  const { directory, keep, verifies, recipient } = backups;
  return {
    database: { databaseUrl, dataDir, databasePool },
    secretKey: deps.secretKey,
    directory: directory!,
    name: nameBackup(deps.clock(), recipient !== null),
    ...{ keep, verifies, recipient },
  };
}

async function store(
  message: BackupMessage,
  { name: file }: BackupTask,
  { deps, status }: Run,
): Promise<void> {
  const { database, logger, operatorEmail } = deps;
  const now = deps.clock();
  logger[message.kind === 'failed' ? 'warn' : 'info']({ backup: { file, ...message } }, 'backup');
  await database.transaction(async (tx) => {
    if (message.kind === 'created') await recordCreated(tx, { file, ...message }, now);
    if (message.kind === 'verified') await recordVerified(tx, { file, ...message }, now);
    if (message.kind !== 'failed') return;
    await recordFailed(tx, message.message, now);
    // Once, until a backup succeeds: the attempts of each hour say nothing new.
    const isKnown = status.failed !== null && status.failed.at >= (status.created?.at ?? 0);
    if (operatorEmail === null || isKnown) return;
    const mail = { userId: null, email: operatorEmail, isByAdministrator: true, now } as const;
    await enqueueMail(tx, { kind: 'backup_failed', ...mail, data: { reason: message.message } });
  });
}
