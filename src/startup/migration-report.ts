/** Reports the progress of a migration, which may take long: the service does not listen before its end. */
import type { MigrationProgress, ReportProgress } from '../database/migrate.ts';
import type { Log } from '../lib/log/log.ts';

export function formatProgress({ name, step, steps }: MigrationProgress): string {
  return `migrating the database: step ${step} of ${steps} (${name})`;
}

export function createMigrationLog(logger: Log): ReportProgress {
  return async ({ version: migration, name, step, steps }) => {
    logger.info({ migration, step, steps }, formatProgress({ version: migration, name, step, steps }));
    // A statement on SQLite blocks the event loop, which would write the line after it.
    await new Promise<void>((resolve) => logger.flush(() => resolve()));
  };
}
