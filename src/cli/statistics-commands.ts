/** Commands about the figures of the dashboard. */
import type { Command } from 'commander';
import { createDataDirectory } from '../config/data-directory.ts';
import type { Config } from '../config.ts';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/open.ts';
import { recomputeStatistics } from '../features/dashboard/recompute-statistics.ts';

/** Adds the commands. `readSettings` is called by the command that runs. */
export function addStatisticsCommands(program: Command, readSettings: () => Config): void {
  program
    .command('statistics')
    .description('manage the figures of the dashboard')
    .command('recompute')
    .description('correct figures that differ from the data, also while services run')
    .action(() => recompute(readSettings()));
}

async function recompute(config: Config): Promise<void> {
  createDataDirectory(config);
  const database = openDatabase(config);
  try {
    await migrate(database);
    const corrections = await recomputeStatistics(database, Date.now);
    for (const [kind, count] of Object.entries(corrections)) console.log(`${kind}: ${count} corrected`);
  } finally {
    await database.close();
  }
}
