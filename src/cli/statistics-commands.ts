/** Commands about the figures of the dashboard. */
import type { Command } from 'commander';
import { recomputeStatistics } from '../features/activity/dashboard/recompute-statistics.ts';
import { recordEvent } from '../features/events/record-event.ts';
import type { CommandContext } from './context.ts';
import { withDatabase } from './with-database.ts';

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
  await withDatabase(readSettings(), async (database, clock) => {
    // First: the figures are corrected in several transactions.
    await database.transaction((tx) =>
      recordEvent(tx, { type: 'statistics.recomputed', subject: 'statistics', now: clock() }),
    );
    const corrections = await recomputeStatistics(database, clock);
    for (const [kind, count] of Object.entries(corrections)) print(`${kind}: ${count} corrected`);
  });
}
