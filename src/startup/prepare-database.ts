/** Brings the database into the state that this release and these settings need. */
import type { Database } from '../database/database.ts';
import { type MigrationProgress, migrate, type ReportProgress } from '../database/migrate.ts';
import { claimSetting, readSetting, writeSetting } from '../database/settings.ts';
import { acceptAllEvents, acceptEarlierEvents, markImports } from '../features/events/chain/accept-events.ts';
import { withMarks } from '../features/events/chain/chain.ts';
import { numberAllEvents } from '../features/events/numbering/number-events.ts';
import { recordEvent } from '../features/events/record-event.ts';
import { releaseAllJobs } from '../features/jobs/queries.ts';
import { ALGORITHMS, retireSigningKeys } from '../features/people/tokens/signing-keys/queries.ts';
import { releaseAllClaims } from '../idempotency/queries.ts';
import type { Log } from '../lib/log/log.ts';
import { createKeyCheck, KEY_CHECK_SETTING } from '../lib/secrets/encryption.ts';

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

/** The database was set up with another SECRET_KEY. The message is one line for the operator. */
export class SecretKeyMismatch extends Error {
  override name = 'SecretKeyMismatch';
}

/** Compares the key with the one that the database was set up with. @throws SecretKeyMismatch */
export async function verifySecretKey(database: Database, secretKey: string): Promise<void> {
  if (
    (await claimSetting(database, KEY_CHECK_SETTING, createKeyCheck(secretKey))) !== createKeyCheck(secretKey)
  )
    throw mismatch();
}

/** Returns a function that returns the key, for commands that may not need it. @throws SecretKeyMismatch */
export async function checkLater(database: Database, getSecretKey: () => string): Promise<() => string> {
  const check = await readSetting(database, KEY_CHECK_SETTING);
  return () => {
    const secretKey = getSecretKey();
    if (check !== undefined && check !== createKeyCheck(secretKey)) throw mismatch();
    return secretKey;
  };
}

function mismatch(): SecretKeyMismatch {
  return new SecretKeyMismatch(
    'SECRET_KEY is not the one that this database was set up with: nodes of one database share one SECRET_KEY. If the old one is lost, run: npm run cli -- accept-secret-key',
  );
}

/** Makes the database accept this key in place of a lost one. */
export async function acceptSecretKey(opened: Database, secretKey: string, now: number): Promise<void> {
  const database = withMarks(opened, () => secretKey);
  await numberAllEvents(database);
  await database.transaction(async (tx) => {
    await acceptAllEvents(tx);
    await writeSetting(tx, KEY_CHECK_SETTING, createKeyCheck(secretKey));
    // Keys encrypted under the lost one cannot sign any more; their signatures can still be verified.
    for (const algorithm of ALGORITHMS) await retireSigningKeys(tx, algorithm, now);
    await recordEvent(tx, { type: 'secret_key.accepted', subject: 'settings', now });
  });
}
