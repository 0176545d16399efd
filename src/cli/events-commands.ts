/** `events verify`: verifies the hash chain in the database. `events head`: its end, to be noted. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Database } from '../database/database.ts';
import { createMark } from '../features/events/chain/chain.ts';
import { numberAllEvents } from '../features/events/numbering/number-events.ts';
import { readChain, readMarkedChain } from '../features/events/queries.ts';
import { ADVICE, type ChainProblem, FINDINGS, WARNINGS } from '../features/events/verify/findings.ts';
import { type ChainPosition, verifyChain } from '../features/events/verify/verify-chain.ts';
import { DAY } from '../lib/time.ts';
import { loadSettings } from '../settings/live-settings.ts';
import { verifySecretKey } from '../startup/prepare-database.ts';
import { getSecretKey } from '../startup/secret-files.ts';
import { type CommandContext, CommandError } from './context.ts';

interface VerifyOptions {
  readonly head?: ChainPosition;
  readonly fromNumber?: number;
}

const EXAMPLES = `
Examples:
  npm run cli -- events verify
  npm run cli -- events verify --head '{"number":4711,"digest":"mC5WeNq0yyAdpWqCpf0wG0dz1R0cOoRtq9GJcRYZ6cE"}'

Computes the hash chain of the events anew and names each event that was edited, added, removed or reordered. With a head
that was noted earlier ("events head", the log, or a message to a webhook), it also finds that the newest events were
removed, and that somebody with SECRET_KEY has computed a whole chain anew. Changes nothing, and can run beside the
service. Exits with 2 if something is wrong.`;

/** Adds the commands. */
export function addEventCommands(program: Command, context: CommandContext): void {
  const events = program.command('events').description('verify the record of events');
  events
    .command('verify')
    .description('verify that no event was edited, added, removed or reordered')
    .option('--head <json>', 'head that was noted: {"number":…,"digest":"…"}', parseHead)
    .option('--from-number <number>', 'verify the events after this one only', parseNumber)
    .addHelpText('after', EXAMPLES)
    .action((options: VerifyOptions) => verify(context, options));
  events
    .command('head')
    .description('print the last number and its digest as JSON, to be noted elsewhere')
    .action(() => printHead(context));
}

function parseHead(given: string): ChainPosition {
  try {
    const { number, digest } = JSON.parse(given);
    if (Number.isSafeInteger(number) && typeof digest === 'string') return { number, digest };
  } catch {}
  throw new InvalidArgumentError('It must be what "events head" prints.');
}

function parseNumber(given: string): number {
  if (!/^\d{1,15}$/.test(given)) throw new InvalidArgumentError('It must be a number.');
  return Number(given);
}

async function verify(context: CommandContext, options: VerifyOptions): Promise<void> {
  const { head: noted = null, fromNumber: after = null } = options;
  const config = context.readSettings();
  await context.withDatabase(async (database, clock) => {
    const secretKey = getSecretKey(config, { warn: context.printError });
    await numberEvents(database, secretKey);
    const { eventsDays } = (await loadSettings(database, config.runTime)).current;
    let isValid = true;
    const mark = createMark(secretKey);
    const verification = { after, noted, mark, before: clock() - eventsDays * DAY };
    const verified = await verifyChain(database, verification, (problem, number, last = number) => {
      isValid &&= problem in WARNINGS;
      context.print(formatFinding(problem, number, last));
    });
    if (verified === null)
      throw new CommandError(`there is no event ${after}: it was deleted or never recorded`);
    const { count, last } = verified;
    context.print(`${count} events verified; last number ${last.number}, digest ${last.digest}`);
    if (isValid) return;
    context.print(ADVICE);
    context.reportFindings();
  });
}

/** Numbers what a service that does not run has left. */
async function numberEvents(database: Database, secretKey: string): Promise<void> {
  await verifySecretKey(database, secretKey);
  if ((await readMarkedChain(database)) === undefined) return;
  await numberAllEvents(database);
}

async function printHead({ withDatabase, print }: CommandContext): Promise<void> {
  const { number, digest } = await withDatabase(readChain);
  print(JSON.stringify({ number, digest }));
}

function formatFinding(problem: ChainProblem, number: number, last: number): string {
  const numbers = number === last ? `event ${number}` : `events ${number} to ${last}`;
  const texts = { ...FINDINGS, ...WARNINGS };
  return `${problem in WARNINGS ? 'warning: ' : ''}${numbers}: ${texts[problem]}`;
}
