/** Migrates the database schema: each step once, also when several nodes start at the same time. */
import { type Database, type Dialect, PermissionDenied, type Reader, sql, type Tx } from './database.ts';
import { migrations } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';

/** This release cannot use the database: a later one has migrated it, or it is too old to be migrated. */
export class DatabaseNotSupported extends Error {
  override readonly name = 'DatabaseNotSupported';
}

/** The role of the connection may not change the schema. The message is one line for the operator. */
export class MigrationNotPermitted extends Error {
  constructor(found: number, known: number, { cause }: PermissionDenied) {
    const reason = (cause as Error).message;
    super(
      `The database is at version ${found} and has to be migrated to ${known}, which needs a role that owns its tables and may create others (${reason}): run "npm run cli -- migrate" with the DATABASE_URL of such a role`,
      { cause },
    );
    this.name = 'MigrationNotPermitted';
  }
}

const CURRENT_VERSION = sql<{ version: number | null }>(
  'select max(version) as version from schema_migrations',
);
const RECORD_VERSION = sql('insert into schema_migrations (version, name, applied_at) values ($1, $2, $3)');

export interface MigrationProgress {
  readonly version: number;
  readonly name: string;
  /** The number of the step among those that are missing. */
  readonly step: number;
  readonly steps: number;
}

export type ReportProgress = (progress: MigrationProgress) => Promise<void>;

/**
 * Applies all missing steps or none, and returns their number. `report` is called before each, unless the
 * database is new. @throws DatabaseNotSupported, MigrationNotPermitted, DatabaseUnavailable
 */
export async function migrate(
  database: Database,
  steps: readonly Migration[] = migrations,
  report: ReportProgress = async () => {},
): Promise<number> {
  const found = (await database.hasTable('schema_migrations')) ? await readVersion(database) : 0;
  if (findMissing(steps, found).length === 0) return 0;
  try {
    return await database.exclusively((tx) => applyMissing(tx, steps, { dialect: database.dialect, report }));
  } catch (error) {
    if (!(error instanceof PermissionDenied)) throw error;
    throw new MigrationNotPermitted(found, steps.at(-1)!.version, error);
  }
}

/** Returns the number of steps that `migrate` would apply. @throws DatabaseNotSupported, DatabaseUnavailable */
export async function countMissingSteps(database: Database): Promise<number> {
  const found = (await database.hasTable('schema_migrations')) ? await readVersion(database) : 0;
  return findMissing(migrations, found).length;
}

/** Another node may have migrated since the version was read without the lock. */
async function applyMissing(
  tx: Tx,
  all: readonly Migration[],
  { dialect, report }: { readonly dialect: Dialect; readonly report: ReportProgress },
): Promise<number> {
  const { key, integer, tableOptions } = dialect;
  await tx.run(
    sql(`create table if not exists schema_migrations (
      version ${integer} primary key, name ${key} not null, applied_at ${integer} not null
    ) ${tableOptions}`),
  );
  const found = await readVersion(tx);
  const missing = findMissing(all, found);
  for (const [index, { version, name, statements }] of missing.entries()) {
    if (found > 0) await report({ version, name, step: index + 1, steps: missing.length });
    for (const statement of statements(dialect)) await tx.run(sql(statement));
    await tx.run(RECORD_VERSION, version, name, Date.now());
  }
  return missing.length;
}

async function readVersion(reader: Reader): Promise<number> {
  return (await reader.get(CURRENT_VERSION))?.version ?? 0;
}

function findMissing(steps: readonly Migration[], found: number): Migration[] {
  const [first, last] = [steps[0]!.version, steps.at(-1)!.version];
  if (found > last)
    throw new DatabaseNotSupported(
      `The database is at version ${found}, this program knows versions up to ${last}: start the newer release.`,
    );
  if (found > 0 && found < first)
    throw new DatabaseNotSupported(
      `The database is at version ${found}, this program upgrades databases from version ${first} on: start release 0.1 of commit cde5ee0 once, which brings it to version 27.`,
    );
  return steps.filter(({ version }) => version > found);
}
