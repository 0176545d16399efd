/** Runs the housekeeping of a database when the test says so. */
import type { Database } from '../../src/database/database.ts';
import { createLog } from '../../src/lib/log/log.ts';
import { startHousekeeping } from '../../src/startup/housekeeping.ts';

export async function keepHouse(
  database: Database,
  options: Partial<Parameters<typeof startHousekeeping>[1]> = {},
): Promise<void> {
  const housekeeping = startHousekeeping(database, {
    clock: Date.now,
    logger: createLog('silent'),
    settings: { current: { unclaimedUsersDays: 7, eventsDays: 180 } },
    ...options,
  });
  await housekeeping.run();
  await housekeeping.close();
}
