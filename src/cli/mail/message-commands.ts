/** `mail list`, `mail show`, `mail retry <id>` and `mail cancel` */
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { cancelMessage, retryMessage } from '../../features/mail/messages/change-message.ts';
import { createContentSeal } from '../../features/mail/messages/content-seal.ts';
import {
  listMessages,
  type MessagePage,
  type MessagePageRequest,
  type MessagePosition,
} from '../../features/mail/messages/list-messages.ts';
import type { FormatSubject } from '../../features/mail/messages/message-responses.ts';
import { messageView } from '../../features/mail/messages/message-responses.ts';
import type { MessageRow } from '../../features/mail/messages/queries.ts';
import { FILTER_NAMES, readMessageFilter } from '../../features/mail/messages/read-filter.ts';
import { findMessage, readText } from '../../features/mail/messages/read-message.ts';
import { createSubjectFormat } from '../../features/mail/messages/subjects.ts';
import { createTexts } from '../../features/texts/texts.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { loadSettings } from '../../settings/live-settings.ts';
import { getSecretKey } from '../../startup/secret-files.ts';
import type { CommandContext } from '../context.ts';
import { printable, writeLines } from '../output.ts';
import { parseCount } from '../parse-count.ts';
import { withDatabase } from '../with-database.ts';

interface ListOptions extends Partial<Record<(typeof FILTER_NAMES)[number], string>> {
  readonly limit: number;
  readonly json?: boolean;
}

const DEFAULT_LIMIT = 100;
const PAGE_SIZE = 100;

const EXAMPLES = `
Examples:
  npm run cli -- mail list --state failed
  npm run cli -- mail list --recipient ada@example.com --json | jq -r .last_error

Prints the newest 100 messages, or as many as --limit says. With --json, each line is a JSON object.`;

const DESCRIPTIONS: Readonly<Record<(typeof FILTER_NAMES)[number], string>> = {
  state: 'only waiting, sending, sent, failed, dropped or cancelled messages',
  recipient: 'only messages to this address, or to addresses that contain this text',
  from: 'only messages queued at this time or later (RFC 3339)',
  to: 'only messages queued before this time (RFC 3339)',
};

/** Adds all but `retry`, which needs no id. */
export function addMessageCommands(mail: Command, context: CommandContext): void {
  const list = mail.command('list').description('list messages, the newest first');
  for (const name of FILTER_NAMES) list.option(`--${name} <${name}>`, DESCRIPTIONS[name]);
  list
    .option('--limit <count>', 'maximum number of messages', parseCount, DEFAULT_LIMIT)
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', EXAMPLES)
    .action((options: ListOptions) => printList(context, options));
  mail
    .command('show <id>')
    .description('print a message as JSON, with its text as far as it is known')
    .action((id: string) =>
      run(context, (database, clock, config) => show(context, { database, clock, config, id })),
    );
  mail
    .command('cancel <id>')
    .description('remove a message from the queue')
    .action((id: string) =>
      run(context, async (database, clock, config) => {
        const message = await database.transaction((tx) => cancelMessage({ clock }, tx, id));
        return messageView(message, await getSubjectFormat(database, config));
      }),
    );
}

/** Sends a message now, or once more. */
export function retryOne(context: CommandContext, id: string): Promise<void> {
  return run(context, async (database, clock, config) => {
    const message = await database.transaction((tx) => retryMessage({ clock }, tx, id));
    return messageView(message, await getSubjectFormat(database, config));
  });
}

type Work = (database: Database, clock: Clock, config: Config) => Promise<object>;

/** Prints what `work` returns as JSON. */
async function run({ readSettings, print }: CommandContext, work: Work): Promise<void> {
  const config = readSettings();
  const result = await withDatabase(config, (database, clock) => work(database, clock, config));
  print(JSON.stringify(result, null, 2));
}

/** Returns what the texts of messages need. */
async function readTextSettings(database: Database, { runTime, textsDir }: Config) {
  return { settings: await loadSettings(database, runTime), texts: await createTexts(textsDir) };
}

async function getSubjectFormat(database: Database, config: Config): Promise<FormatSubject> {
  return createSubjectFormat(await readTextSettings(database, config));
}

interface Shown {
  readonly database: Database;
  readonly clock: Clock;
  readonly config: Config;
  readonly id: string;
}

async function show({ printError }: CommandContext, { database, clock, config, id }: Shown): Promise<object> {
  const { mail, publicUrl } = config;
  const message = await findMessage(database, id, clock());
  const contents = mail.toLog ? createContentSeal(getSecretKey(config, { warn: printError })) : null;
  const deps = { publicUrl, contents, ...(await readTextSettings(database, config)) };
  const { text = null, link = null } = (await readText(database, deps, message)) ?? {};
  return { ...messageView(message, await createSubjectFormat(deps)), text, link };
}

async function printList({ readSettings, stdout }: CommandContext, options: ListOptions): Promise<void> {
  const { limit, json = false, ...query } = options;
  const filter = readMessageFilter(query);
  const config = readSettings();
  await withDatabase(config, async (database, clock) => {
    const formatSubject = await getSubjectFormat(database, config);
    const format = json
      ? (message: MessageRow) => JSON.stringify(messageView(message, formatSubject))
      : formatLine;
    await writeLines(formatMessages(database, { filter, limit, now: clock() }, format), stdout);
  });
}

async function* formatMessages(
  database: Database,
  { limit, ...request }: Omit<MessagePageRequest, 'after'>,
  format: (message: MessageRow) => string,
): AsyncGenerator<string> {
  let after: MessagePosition | null = null;
  for (let rest = limit; rest > 0; ) {
    const page: MessagePage = await listMessages(database, {
      ...request,
      after,
      limit: Math.min(rest, PAGE_SIZE),
    });
    yield* page.messages.map(format);
    if (page.next === null) return;
    rest -= page.messages.length;
    after = page.next;
  }
}

function formatLine({ id, created_at, state, reason, kind, email, last_error }: MessageRow): string {
  const time = new Date(created_at).toISOString();
  const why = reason ?? last_error ?? '';
  return [id, time, state.padEnd(9), kind.padEnd(16), email, why].map(printable).join('  ').trimEnd();
}
