/** Brings the database into the state that this release and these settings need. */
import type { Database } from '../database/database.ts';
import { type MigrationProgress, migrate, type ReportProgress } from '../database/migrate.ts';
import { acceptEarlierEvents, markImports } from '../features/events/chain/accept-events.ts';
import { releaseAllJobs } from '../features/jobs/queries.ts';
import { releaseAllClaims } from '../idempotency/queries.ts';
import type { Log } from '../lib/log/log.ts';
import { verifySecretKey } from './secret-key-check.ts';

/** Migrates the database and prepares it for requests. @throws DatabaseNotSupported, SecretKeyMismatch */
export async function prepareDatabase(
  database: Database,
  options: { readonly secretKey: string; readonly logger: Log },
): Promise<void> {
  await migrate(database, undefined, { report: createMigrationLog(options.logger) });
  await verifySecretKey(database, options.secretKey);
  await acceptEarlierEvents(database);
  await markImports(database);
  if (database.isShared) return;
  // No other process serves this database: claims and leases were left behind by a process that has ended.
  await database.transaction(async (tx) => {
    await releaseAllClaims(tx);
    await releaseAllJobs(tx);
  });
}

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
