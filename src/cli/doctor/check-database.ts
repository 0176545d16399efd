/** Checks the database: reachable, migrated, writable, and its clock. Changes nothing. */
import type { Config } from '../../config.ts';
import { type Database, PermissionDenied } from '../../database/database.ts';
import { countMissingSteps } from '../../database/migrate.ts';
import { isCreated, isExposed, openDatabase } from '../../database/open.ts';
import { addSetting } from '../../database/settings.ts';
import { deleteTokensOfUser } from '../../features/tokens/queries.ts';
import { lockUser } from '../../features/users/queries.ts';
import { newId } from '../../lib/ids.ts';
import { checkQueue } from './check-mail.ts';
import { type Finding, failure, ok, reasonOf, warning } from './finding.ts';

const MIGRATE = 'run "npm run cli -- migrate", or start the service';

export async function checkDatabase(config: Config): Promise<Finding[]> {
  if (!isCreated(config)) return [warning('database', `there is none in ${config.dataDir} yet: ${MIGRATE}`)];
  let database: Database | undefined;
  try {
    database = openDatabase(config);
    await database.ping();
    const reachable = ok('database', `${database.location} is reachable`);
    return [reachable, ...checkTls(config), ...(await checkContents(database))];
  } catch (error) {
    return [failure('database', `${reasonOf(error)}: check DATABASE_URL, DATA_DIR and the database server`)];
  } finally {
    await database?.close();
  }
}

function checkTls(config: Config): Finding[] {
  if (!isExposed(config)) return [];
  return [warning('database', 'the connection leaves this machine without TLS: add sslmode=verify-full')];
}

async function checkContents(database: Database): Promise<Finding[]> {
  const missing = await countMissingSteps(database);
  const clock = await checkClock(database);
  if (missing > 0)
    return [warning('schema', `${missing} step(s) of the migration are missing: ${MIGRATE}`), clock];
  return [
    ok('schema', 'is that of this release'),
    clock,
    await checkRights(database),
    ...(await checkQueue(database)),
  ];
}

async function checkClock(database: Database): Promise<Finding> {
  let skew = 0;
  await database.startClock((skewMs) => {
    skew = skewMs;
  });
  if (skew === 0) return ok('clock', 'agrees with that of the database');
  const seconds = Math.round(skew / 1000);
  return warning('clock', `differs by ${seconds} s from that of the database: synchronise both (NTP)`);
}

class RolledBack extends Error {}

/** Inserts, updates and deletes in a transaction that is rolled back. */
async function checkRights(database: Database): Promise<Finding> {
  const id = newId();
  try {
    await database.transaction(async (tx) => {
      await addSetting(tx, { name: `doctor ${id}`, value: '' });
      await lockUser(tx, id);
      await deleteTokensOfUser(tx, id);
      throw new RolledBack();
    });
  } catch (error) {
    if (error instanceof PermissionDenied)
      return failure(
        'rights',
        `${reasonOf(error)}: grant the role select, insert, update and delete on all tables`,
      );
    if (!(error instanceof RolledBack))
      return failure('rights', `the database cannot be written: ${reasonOf(error)}`);
  }
  return ok('rights', 'the database can be written');
}
