/** Migrates the database schema: each step once, also when several nodes start at the same time. */
import { type Database, type Dialect, PermissionDenied, type Reader, sql, type Tx } from './database.ts';
import { migrations } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';

/** The database was migrated by a later release: this one must not write to it. */
export class DatabaseTooNew extends Error {
  constructor(found: number, known: number) {
    super(
      `The database is at version ${found}, this program knows versions up to ${known}: start the newer release.`,
    );
    this.name = 'DatabaseTooNew';
  }
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

/** The next part of a migration. */
export interface MigrationProgress {
  readonly version: number;
  readonly name: string;
  /** The number of the step among those that are missing. */
  readonly step: number;
  readonly steps: number;
  readonly statement: number;
  readonly statements: number;
  /** Set for a statement that changes many rows in batches. */
  readonly rows?: { readonly done: number; readonly total: number } | undefined;
}

export type ReportProgress = (progress: MigrationProgress) => Promise<void>;

/**
 * Applies all missing steps or none, and returns their number. `report` is called before each statement, unless the
 * database is new: then none takes long. A current schema is only read: the role of a service
 * needs no right to change it.
 * @throws DatabaseTooNew, MigrationNotPermitted, DatabaseUnavailable
 */
export async function migrate(
  database: Database,
  steps: readonly Migration[] = migrations,
  report: ReportProgress = async () => {},
): Promise<number> {
  const found = (await database.hasTable('schema_migrations')) ? await readVersion(database) : 0;
  if (missingSteps(steps, found).length === 0) return 0;
  try {
    return await database.exclusively((tx) => applyMissing(tx, steps, { dialect: database.dialect, report }));
  } catch (error) {
    if (!(error instanceof PermissionDenied)) throw error;
    throw new MigrationNotPermitted(found, lastVersion(steps), error);
  }
}

/** Returns the number of steps that `migrate` would apply. @throws DatabaseTooNew, DatabaseUnavailable */
export async function countMissingSteps(database: Database): Promise<number> {
  const found = (await database.hasTable('schema_migrations')) ? await readVersion(database) : 0;
  return missingSteps(migrations, found).length;
}

interface Run {
  readonly dialect: Dialect;
  readonly report: ReportProgress;
}

/** Another node may have migrated since the version was read without the lock. */
async function applyMissing(tx: Tx, all: readonly Migration[], { dialect, report }: Run): Promise<number> {
  const { key, integer, tableOptions } = dialect;
  await tx.run(
    sql(`create table if not exists schema_migrations (
      version ${integer} primary key, name ${key} not null, applied_at ${integer} not null
    ) ${tableOptions}`),
  );
  const found = await readVersion(tx);
  const missing = missingSteps(all, found);
  const steps = missing.length;
  for (const [index, each] of missing.entries()) {
    const reportPart: ReportPart = async (part) => {
      const { version, name } = each;
      if (found > 0) await report({ version, name, step: index + 1, steps, ...part });
    };
    await apply(tx, each, { dialect, reportPart });
  }
  return steps;
}

async function readVersion(reader: Reader): Promise<number> {
  return (await reader.get(CURRENT_VERSION))?.version ?? 0;
}

/** @throws DatabaseTooNew */
function missingSteps(steps: readonly Migration[], current: number): Migration[] {
  const known = lastVersion(steps);
  if (current > known) throw new DatabaseTooNew(current, known);
  return steps.filter(({ version }) => version > current);
}

function lastVersion(steps: readonly Migration[]): number {
  return steps.at(-1)?.version ?? 0;
}

type ReportPart = (part: Pick<MigrationProgress, 'statement' | 'statements' | 'rows'>) => Promise<void>;

async function apply(
  tx: Tx,
  step: Migration,
  { dialect, reportPart }: { readonly dialect: Dialect; readonly reportPart: ReportPart },
): Promise<void> {
  const changes = step.statements(dialect);
  for (const [index, change] of changes.entries()) {
    const part = { statement: index + 1, statements: changes.length };
    await reportPart(part);
    if (typeof change === 'string') await tx.run(sql(change));
    else await change(tx, (rows) => reportPart({ ...part, rows }));
  }
  await tx.run(RECORD_VERSION, step.version, step.name, Date.now());
}
