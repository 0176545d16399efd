/** `events verify`: verifies the hash chain in the database. */
import { type Command, InvalidArgumentError } from 'commander';
import { numberAllEvents } from '../features/events/numbering/number-events.ts';
import {
  type ChainFinding,
  type ChainPosition,
  FINDINGS,
  verifyChain,
} from '../features/events/verify/verify-chain.ts';
import type { CommandContext } from './context.ts';
import { CommandError } from './output.ts';

interface Options {
  readonly number?: number;
  readonly digest?: string;
  readonly fromNumber?: number;
}

const EXAMPLES = `
Examples:
  npm run cli -- events verify
  npm run cli -- events verify --number 4711 --digest mC5WeNq0yyAdpWqCpf0wG0dz1R0cOoRtq9GJcRYZ6cE

Computes the hash chain of the events anew and names each event that was edited, removed or reordered. With a number and
a digest that the service has logged earlier, it also finds that somebody has computed a whole chain anew. Changes
nothing, and can run beside the service. Exits with 2 if something is wrong.`;

export function addEventCommands(program: Command, context: CommandContext): void {
  program
    .command('events')
    .description('verify the record of events')
    .command('verify')
    .description('verify that no event was edited, removed or reordered')
    .option('--number <number>', 'number of an event whose digest is known from the log', parseNumber)
    .option('--digest <digest>', 'digest of that event, or of the one of --from-number')
    .option('--from-number <number>', 'verify the events after this one only', parseNumber)
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => verify(context, options));
}

function parseNumber(given: string): number {
  if (!/^\d{1,15}$/.test(given)) throw new InvalidArgumentError('It must be a number.');
  return Number(given);
}

async function verify(context: CommandContext, options: Options): Promise<void> {
  const { fromNumber: after = null } = options;
  const noted = readNoted(options);
  await context.withDatabase(async (database) => {
    await numberAllEvents(database);
    let isValid = true;
    const verified = await verifyChain(database, { after, noted }, (finding) => {
      isValid = false;
      context.print(formatFinding(finding));
    });
    if (verified === null)
      throw new CommandError(`there is no event ${after}: it was deleted or never recorded`);
    const { count, last } = verified;
    context.print(`${count} events verified; last number ${last.number}, digest ${last.digest}`);
    if (!isValid) context.reportFindings();
  });
}

function readNoted({ number, digest, fromNumber }: Options): ChainPosition | null {
  if (digest === undefined) {
    if (number !== undefined) throw new CommandError('--number needs --digest');
    return null;
  }
  const noted = number ?? fromNumber;
  if (noted === undefined) throw new CommandError('--digest needs --number or --from-number');
  return { number: noted, digest };
}

function formatFinding({ number, last, problem }: ChainFinding): string {
  const numbers = number === last ? `event ${number}` : `events ${number} to ${last}`;
  return `${numbers}: ${FINDINGS[problem]}`;
}
