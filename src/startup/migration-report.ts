/** Reports the progress of a migration, which may take long: the service does not listen before its end. */
import type { MigrationProgress, ReportProgress } from '../database/migrate.ts';
import type { Log } from '../lib/log/log.ts';
import { type MonotonicClock, monotonic } from '../lib/time/clock.ts';

/** Interval between two lines about the same step. */
const INTERVAL_MS = 1_000;

export type WriteProgress = (text: string, progress: MigrationProgress) => void | Promise<void>;

/** Returns a function that writes a line at the beginning of each step, and then about one a second. */
export function createMigrationReport(write: WriteProgress, now: MonotonicClock = monotonic): ReportProgress {
  let last: { version: number; at: number } | undefined;
  return async (progress) => {
    const { version } = progress;
    if (last?.version === version && now() - last.at < INTERVAL_MS) return;
    last = { version, at: now() };
    await write(progressText(progress), progress);
  };
}

function progressText({ name, step, steps, statement, statements, rows }: MigrationProgress): string {
  const part = rows === undefined ? '' : `, row ${rows.done} of ${rows.total}`;
  return `migrating the database: step ${step} of ${steps} (${name}), statement ${statement} of ${statements}${part}`;
}

/** Returns the function that logs the progress. */
export function writeToLog(logger: Log): WriteProgress {
  return async (text, { version: migration, name: _, ...progress }) => {
    logger.info({ migration, ...progress }, text);
    // A statement on SQLite blocks the event loop, which would write the line after it.
    await new Promise<void>((resolve) => logger.flush(() => resolve()));
  };
}
