/** Commands about messages. They write to the database; a running service sends. */
import type { Command } from 'commander';
import { recordEvent } from '../features/events/record-event.ts';
import { retryWaitingMail } from '../features/mail/delivery/rescheduling/retry-waiting-mail.ts';
import { readDropped } from '../features/mail/dropped-mail.ts';
import { countMail, type MailCounts } from '../features/mail/queries.ts';
import { formatCount } from '../lib/text/count.ts';
import { timestamp } from '../lib/time/clock.ts';
import type { CommandContext } from './context.ts';
import { addMessageCommands, retryOne } from './mail/message-commands.ts';
import { withDatabase } from './with-database.ts';

/** Adds the commands. */
export function addMailCommands(program: Command, context: CommandContext): void {
  const mail = program.command('mail').description('show, retry or cancel messages');
  mail
    .command('status')
    .description('count queued messages by kind')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExits with 2 if a message waits of which an attempt has failed.')
    .action((options: { json?: boolean }) => showStatus(context, options.json === true));
  mail
    .command('retry [id]')
    .description('send a message now, or all queued messages')
    .action((id?: string) => (id === undefined ? retryAll(context) : retryOne(context, id)));
  addMessageCommands(mail, context);
}

async function showStatus(context: CommandContext, asJson: boolean): Promise<void> {
  const config = context.readSettings();
  const status = await withDatabase(config, async (database, clock) =>
    summarize(await countMail(database, clock()), await readDropped(database)),
  );
  context.print(asJson ? JSON.stringify(status) : table(status));
  if (!asJson && status.waiting > 0 && config.mail.smtp === null)
    context.print('SMTP_URL is not set: messages wait until it is.');
  if (!asJson && status.dropped > 0)
    context.print(
      `Limits have dropped ${formatCount(status.dropped, 'message')} since the database was set up.`,
    );
  if (status.failed > 0) context.reportFindings();
}

interface Counts {
  readonly waiting: number;
  readonly due: number;
  readonly sending: number;
  readonly failed: number;
  /** RFC 3339; null if no message waits. */
  readonly oldest: string | null;
}

interface Status extends Counts {
  /** Messages that exceeded a limit and were not sent. */
  readonly dropped: number;
  readonly kinds: readonly ({ readonly kind: string } & Counts)[];
}

function summarize(kinds: readonly MailCounts[], dropped: number): Status {
  const sum = (member: 'waiting' | 'due' | 'sending' | 'failed') =>
    kinds.reduce((total, counts) => total + counts[member], 0);
  return {
    waiting: sum('waiting'),
    due: sum('due'),
    sending: sum('sending'),
    failed: sum('failed'),
    oldest: kinds.length === 0 ? null : timestamp(Math.min(...kinds.map(({ oldest }) => oldest))),
    dropped,
    kinds: kinds.map((counts) => ({ ...counts, oldest: timestamp(counts.oldest) })),
  };
}

function table({ kinds, dropped: _, ...total }: Status): string {
  if (total.waiting === 0) return 'No message waits.';
  const rows = [...kinds, { kind: 'total', ...total }].map(({ kind, ...counts }) => {
    const { waiting, due, sending, failed, oldest } = counts;
    return [kind, waiting, due, sending, failed, oldest].map(String);
  });
  const header = ['kind', 'waiting', 'due', 'sending', 'failed', 'oldest'];
  const lines = [header, ...rows].map((row) => row.map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0)));
  return lines.map((cells) => cells.join('  ').trimEnd()).join('\n');
}

const WIDTHS = [22, 8, 8, 8, 8];

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
