/** Checks the schema of the database. */
import type { Database } from '../../../database/database.ts';
import { countMissingSteps } from '../../../database/migrate.ts';
import { formatCount } from '../../../lib/text/count.ts';
import { type Finding, MIGRATE, ok, warning } from './finding.ts';

export async function checkSchema(database: Database): Promise<Finding> {
  const missing = await countMissingSteps(database);
  if (missing === 0) return ok('schema', 'The schema is that of this release');
  return warning('schema', `the schema lacks ${formatCount(missing, 'migration')}: ${MIGRATE}`);
}
