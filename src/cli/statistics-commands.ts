/** Commands about the figures of the dashboard. */
import type { Command } from 'commander';
import { createDataDirectory } from '../config/data-directory.ts';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/open.ts';
import { recomputeStatistics } from '../features/activity/dashboard/recompute-statistics.ts';
import type { CommandContext } from './context.ts';

/** Adds the commands. */
export function addStatisticsCommands(program: Command, context: CommandContext): void {
  program
    .command('statistics')
    .description('manage the figures of the dashboard')
    .command('recompute')
    .description('correct figures that differ from the data, also while services run')
    .action(() => recompute(context));
}

async function recompute({ readSettings, print }: CommandContext): Promise<void> {
  const config = readSettings();
  createDataDirectory(config);
  const database = openDatabase(config);
  try {
    await migrate(database);
    const corrections = await recomputeStatistics(database, Date.now);
    for (const [kind, count] of Object.entries(corrections)) print(`${kind}: ${count} corrected`);
  } finally {
    await database.close();
  }
}
