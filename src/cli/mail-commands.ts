/** `mail retry`: makes all messages due, which no operation of the API does. A running service sends them. */
import type { Command } from 'commander';
import { recordEvent } from '../features/events/record-event.ts';
import { retryWaitingMail } from '../features/mail/delivery/rescheduling/retry-waiting-mail.ts';
import { formatCount } from '../lib/text/count.ts';
import type { CommandContext } from './context.ts';
import { withDatabase } from './with-database.ts';

/** Adds the command. */
export function addMailCommands(program: Command, context: CommandContext): void {
  program
    .command('mail')
    .description('retry messages')
    .command('retry')
    .description('make all queued messages due now, also while services run')
    .action(() => retryAll(context));
}

async function retryAll({ readSettings, print }: CommandContext): Promise<void> {
  const count = await withDatabase(readSettings(), async (database, clock) => {
    // First: the messages become due in several transactions.
    await database.transaction((tx) =>
      recordEvent(tx, { type: 'mail.retried', subject: 'mail', now: clock() }),
    );
    return retryWaitingMail(database, clock);
  });
  print(`Made ${formatCount(count, 'message')} due now.`);
}
