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

const APPLIED = sql<{ version: number }>('select version from schema_migrations order by version');
const OLDEST = sql<{ version: number }>('select max(oldest_version) as version from schema_migrations');
const RECORD_VERSION = sql('insert into schema_migrations (version, name, applied_at) values ($1, $2, $3)');
const RECORD_CONTRACT = sql('update schema_migrations set oldest_version = version where version = $1');

/**
 * The oldest version whose code may run after each step; a contract step sets its own. Releases before the baseline know
 * the steps of which it was made, and would apply them to a database that begins with it.
 */
const OLDEST_VERSION = 44;

export interface MigrationProgress {
  readonly version: number;
  readonly name: string;
  /** The number of the step among those that are missing. */
  readonly step: number;
  readonly steps: number;
}

export type ReportProgress = (progress: MigrationProgress) => Promise<void>;

interface MigrationOptions {
  readonly report?: ReportProgress;
  /** Whether contract steps are applied as well: no node of an older release may run any more. */
  readonly contract?: boolean;
}

/**
 * Applies the missing steps or none, and returns their number. `report` is called before each, unless the
 * database is new. @throws DatabaseNotSupported, MigrationNotPermitted, DatabaseUnavailable
 */
export async function migrate(
  database: Database,
  steps: readonly Migration[] = migrations,
  options: MigrationOptions = {},
): Promise<number> {
  const applied = await readApplied(database);
  if ((await findMissing(database, steps, { applied, ...options })).length === 0) return 0;
  try {
    return await database.exclusively((tx) =>
      applyMissing(tx, steps, { dialect: database.dialect, options }),
    );
  } catch (error) {
    if (!(error instanceof PermissionDenied)) throw error;
    throw new MigrationNotPermitted(applied.at(-1) ?? 0, steps.at(-1)!.version, error);
  }
}

/**
 * Compares the schema of the database with that of this release. `missing`: steps that the next start applies. `waiting`:
 * those that only `migrate --contract` applies. `newer`: the version of the schema, if a later release has migrated it.
 * @throws DatabaseNotSupported, DatabaseUnavailable
 */
export async function compareSchema(database: Database) {
  const applied = await readApplied(database);
  const missing = (await findMissing(database, migrations, { applied })).length;
  const all = (await findMissing(database, migrations, { applied, contract: true })).length;
  const found = applied.at(-1) ?? 0;
  return { missing, waiting: all - missing, newer: found > migrations.at(-1)!.version ? found : null };
}

/** Another node may have migrated since the versions were read without the lock. */
async function applyMissing(
  tx: Tx,
  all: readonly Migration[],
  { dialect, options }: { readonly dialect: Dialect; readonly options: MigrationOptions },
): Promise<number> {
  const { key, integer, tableOptions } = dialect;
  await tx.run(
    sql(`create table if not exists schema_migrations (
      version ${integer} primary key, name ${key} not null, applied_at ${integer} not null,
      oldest_version ${integer} not null default ${OLDEST_VERSION}
    ) ${tableOptions}`),
  );
  const applied = (await tx.all(APPLIED)).map(({ version }) => version);
  const missing = await findMissing(tx, all, { applied, ...options });
  for (const [index, { version, name, kind, statements }] of missing.entries()) {
    if (applied.length > 0) await options.report?.({ version, name, step: index + 1, steps: missing.length });
    for (const statement of statements(dialect)) await tx.run(sql(statement));
    await tx.run(RECORD_VERSION, version, name, Date.now());
    if (kind === 'contract') await tx.run(RECORD_CONTRACT, version);
  }
  return missing.length;
}

/** Returns the versions of the steps that were applied, in ascending order. */
async function readApplied(database: Database): Promise<number[]> {
  if (!(await database.hasTable('schema_migrations'))) return [];
  return (await database.all(APPLIED)).map(({ version }) => version);
}

/** Steps of an empty database are applied at once, whatever their kind: no other node uses the schema. */
async function findMissing(
  reader: Reader,
  steps: readonly Migration[],
  { applied, contract = false }: { readonly applied: readonly number[]; readonly contract?: boolean },
): Promise<Migration[]> {
  await checkSupport(reader, steps, applied);
  const isImmediate = ({ kind }: Migration) => kind === 'expand' || contract || applied.length === 0;
  return steps.filter((step) => !applied.includes(step.version) && isImmediate(step));
}

/** @throws DatabaseNotSupported */
async function checkSupport(reader: Reader, steps: readonly Migration[], applied: readonly number[]) {
  const found = applied.at(-1) ?? 0;
  const [first, last] = [steps[0]!.version, steps.at(-1)!.version];
  if (found > 0 && found < first)
    throw new DatabaseNotSupported(
      `The database is at version ${found}, this program upgrades databases from version ${first} on: start release 0.2.0 of commit 1e539ba3 once, which brings it to version 43.`,
    );
  if (found <= last) return;
  const oldest = (await reader.get(OLDEST))!.version;
  if (oldest > last)
    throw new DatabaseNotSupported(
      `The database is at version ${found} and needs a program of version ${oldest} or later, this one knows versions up to ${last}: start the newer release.`,
    );
}
