/** Migrates the database schema: each step once, also when several nodes start at the same time. */
import { type Database, type Dialect, sql, type Tx } from './database.ts';
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

const CURRENT_VERSION = sql<{ version: number | null }>(
  'select max(version) as version from schema_migrations',
);
const RECORD_VERSION = sql('insert into schema_migrations (version, name, applied_at) values ($1, $2, $3)');

/**
 * Applies all missing steps or none, and returns their number.
 * @throws DatabaseTooNew, DatabaseUnavailable
 */
export async function migrate(database: Database, steps: readonly Migration[] = migrations): Promise<number> {
  return database.exclusively(async (tx) => {
    const { key, integer, tableOptions } = database.dialect;
    await tx.run(
      sql(`create table if not exists schema_migrations (
        version ${integer} primary key, name ${key} not null, applied_at ${integer} not null
      ) ${tableOptions}`),
    );
    const current = (await tx.get(CURRENT_VERSION))?.version ?? 0;
    const known = steps.at(-1)?.version ?? 0;
    if (current > known) throw new DatabaseTooNew(current, known);
    const missing = steps.filter((step) => step.version > current);
    for (const step of missing) await apply(tx, step, database.dialect);
    return missing.length;
  });
}

async function apply(tx: Tx, step: Migration, dialect: Dialect): Promise<void> {
  for (const text of step.statements(dialect)) await tx.run(sql(text));
  await tx.run(RECORD_VERSION, step.version, step.name, Date.now());
}
