/** The database of the settings, for the time of one command. */
import { createDataDirectory } from '../config/data-directory.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/open.ts';
import { withMarks } from '../features/events/chain/marks.ts';
import type { Clock } from '../lib/time/clock.ts';
import { getSecretKey } from '../startup/secret-files.ts';
import { checkLater } from '../startup/secret-key-check.ts';

/** Runs `work` with the database, migrated to the schema of this release. A service may be running. */
export async function withDatabase<T>(
  config: Config,
  work: (database: Database, clock: Clock) => Promise<T>,
): Promise<T> {
  createDataDirectory(config);
  const opened = openDatabase(config);
  try {
    await migrate(opened);
    const database = withMarks(opened, await checkLater(opened, () => getSecretKey(config)));
    // The same clock as that of the nodes. A machine whose own clock differs does not matter to one command.
    return await work(database, await database.startClock(() => {}));
  } finally {
    await opened.close();
  }
}
