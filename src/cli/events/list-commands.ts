/** `events list` and `events export` */
import type { Command } from 'commander';
import { type EventView, eventPages, recordEventExport } from '../../features/events/export/export-events.ts';
import type { EventList } from '../../features/events/list/event-cursors.ts';
import { FILTER_NAMES, readEventFilter } from '../../features/events/list/read-filter.ts';
import { numberAllEvents } from '../../features/events/numbering/number-events.ts';
import type { CommandContext } from '../context.ts';
import { printable, writeLines } from '../output.ts';
import { parseCount } from '../parse-count.ts';
import { withDatabase } from '../with-database.ts';

interface FilterOptions extends Partial<Record<(typeof FILTER_NAMES)[number], string>> {
  readonly oldestFirst?: boolean;
}

interface ListOptions extends FilterOptions {
  readonly limit?: number;
  readonly json?: boolean;
  readonly isExport?: boolean;
}

const LIST_EXAMPLES = `
Examples:
  npm run cli -- events list --type login.failed --from 2026-01-31T00:00:00Z
  npm run cli -- events list --actor administrator --json | jq -r .type

Prints the newest 100 events, or as many as --limit says. With --json, each line is a JSON object.`;

const EXPORT_EXAMPLES = `
Examples:
  npm run cli -- events export > events.ndjson
  npm run cli -- events export --subject user:01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e

Prints all events, or those of the filters, as one JSON object per line.`;

const DEFAULT_LIMIT = 100;

const DESCRIPTIONS: Readonly<Record<(typeof FILTER_NAMES)[number], string>> = {
  type: 'only events of this type',
  subject: 'only events about this subject, such as user:<id>',
  actor: 'only events caused by anonymous, user, administrator, system, user:<id> or administrator:<id>',
  outcome: 'only success or failure',
  from: 'only events of this time and later (RFC 3339)',
  to: 'only events before this time (RFC 3339)',
};

/** Adds both commands. */
export function addEventListCommands(events: Command, context: CommandContext): void {
  addFilters(events.command('list').description('list events, the newest first'))
    .option('--limit <count>', 'maximum number of events', parseCount, DEFAULT_LIMIT)
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', LIST_EXAMPLES)
    .action((options: ListOptions) => list(context, options));
  addFilters(events.command('export').description('export events as NDJSON, the newest first'))
    .addHelpText('after', EXPORT_EXAMPLES)
    .action((options: FilterOptions) => list(context, { ...options, json: true, isExport: true }));
}

function addFilters(command: Command): Command {
  for (const name of FILTER_NAMES) command.option(`--${name} <${name}>`, DESCRIPTIONS[name]);
  return command.option('--oldest-first', 'the oldest first');
}

async function list({ readSettings, stdout }: CommandContext, options: ListOptions): Promise<void> {
  const { limit = Number.POSITIVE_INFINITY, json = false, oldestFirst = false, isExport, ...query } = options;
  const selected: EventList = { filter: readEventFilter(query), order: oldestFirst ? 'time' : '-time' };
  const format = json ? (event: EventView) => JSON.stringify(event) : formatLine;
  await withDatabase(readSettings(), async (database, clock) => {
    // So that the events of commands are listed also while no service runs.
    await numberAllEvents(database);
    const lines = formatEvents(eventPages(database, selected), { limit, format });
    if (isExport) await recordEventExport({ database, clock });
    await writeLines(lines, stdout);
  });
}

interface Format {
  readonly limit: number;
  readonly format: (event: EventView) => string;
}

async function* formatEvents(
  pages: AsyncIterable<readonly EventView[]>,
  { limit, format }: Format,
): AsyncGenerator<string> {
  let count = 0;
  for await (const page of pages) {
    for (const event of page) {
      if (++count > limit) return;
      yield format(event);
    }
    if (count === limit) return;
  }
}

function formatLine({ time, type, outcome, actor, subject, reason, user, address }: EventView): string {
  const by = actor.name ?? actor.type ?? '';
  const about = user?.email ?? subject;
  const result = outcome === 'failure' ? `failure: ${reason ?? 'unknown'}` : '';
  return [time, type!.padEnd(22), by.padEnd(13), about, address, result].map(printable).join('  ').trimEnd();
}
