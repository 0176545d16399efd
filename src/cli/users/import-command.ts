/** `users import` */
import { extname } from 'node:path';
import { type Command, Option } from 'commander';
import { createPasswordPolicy } from '../../features/accounts/passwords/password-policy.ts';
import { type ImportDeps, importBatch } from '../../features/administration/import-users/import-batch.ts';
import {
  type ImportEntry,
  RejectedEntry,
  readEntry,
} from '../../features/administration/import-users/read-entry.ts';
import { createLog } from '../../lib/log/log.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../output.ts';
import { withDatabase } from '../with-database.ts';
import { withPasswords } from '../with-passwords.ts';
import { type InputFile, openInput } from './import/input-file.ts';
import { type FileEntry, FORMATS, type Format, readEntries } from './import/read-file.ts';
import { type ImportReport, openReport } from './import/report.ts';

interface Options {
  readonly format?: Format;
  readonly report?: string;
  readonly fromFrontdesk?: boolean;
  readonly sendClaims?: boolean;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  npm run cli -- users import users.csv --report rejected.ndjson
  npm run cli -- users import - --format ndjson < users.ndjson
  npm run cli -- users import export.csv --from-frontdesk

Columns (or members): email, name, password or password_hash, level, state, email_verified_at, created_at.
Hashes: argon2, bcrypt, and scrypt as better-auth writes it. Emails that have an account are skipped, so the same
file can be imported again. Exits with 2 if a line was rejected or the import was interrupted.`;

/** Adds the command. */
export function addImportCommand(users: Command, context: CommandContext): void {
  users
    .command('import')
    .description('import users with their passwords or password hashes')
    .argument('<file>', 'CSV or NDJSON file; - for standard input')
    .addOption(new Option('--format <format>', 'format of the file; default: from its name').choices(FORMATS))
    .option('--report <file>', 'write rejected and skipped lines to this file, as NDJSON')
    .option('--from-frontdesk', 'argon2 hashes come from another Frontdesk with the same PASSWORD_PEPPER')
    .option('--send-claims', 'queue a message with a link to set a password for accounts without one')
    .option('--json', 'print the result as one JSON object')
    .addHelpText('after', EXAMPLES)
    .action((file: string, options: Options) => importUsers(context, file, options));
}

async function importUsers(context: CommandContext, file: string, options: Options): Promise<void> {
  const config = context.readSettings();
  const format = options.format ?? getFormat(file);
  const input = await openInput(file, context);
  const report = openReport(options.report, context.printError);
  const passwordPolicy = createPasswordPolicy(config.passwordPolicy, createLog('silent'));
  try {
    await withDatabase(config, (database, clock) =>
      withPasswords(config, (passwords) => {
        const deps = { database, clock, passwords, passwordPolicy, sendClaims: options.sendClaims === true };
        return importAll(deps, { input, format, report, isOwnHash: options.fromFrontdesk === true });
      }),
    );
  } finally {
    input.close();
    await report.close();
  }
  const { interrupted, ...counts } = { ...report.counts(), interrupted: input.isInterrupted() };
  if (interrupted || counts.rejected > 0) context.reportFindings();
  if (options.json === true) return context.print(JSON.stringify({ ...counts, interrupted }));
  const { imported, existing, rejected } = counts;
  context.print(`Imported ${imported}, skipped ${existing} with an account, rejected ${rejected}.`);
  if (interrupted) context.print('Interrupted: import the same file again to complete it.');
}

/** @throws CommandError */
function getFormat(file: string): Format {
  const extension = extname(file).slice(1).toLowerCase();
  const format = extension === 'jsonl' ? 'ndjson' : FORMATS.find((each) => each === extension);
  if (format === undefined) throw new CommandError(`add --format: ${FORMATS.join(' or ')}`);
  return format;
}

interface Import {
  readonly input: InputFile;
  readonly format: Format;
  readonly report: ImportReport;
  readonly isOwnHash: boolean;
}

/** Few enough that an interruption loses little work, and that requests do not wait long for the lock. */
const BATCH_SIZE = 500;

interface ReadLine {
  readonly line: number;
  readonly entry: ImportEntry;
}

async function importAll(deps: ImportDeps, { input, format, report, isOwnHash }: Import): Promise<void> {
  let batch: ReadLine[] = [];
  const flush = async () => {
    const outcomes = await importBatch(
      deps,
      batch.map(({ entry }) => entry),
    );
    for (const [index, outcome] of outcomes.entries()) report.add(batch[index]!.line, outcome);
    batch = [];
    input.showProgress(report.counts());
  };
  for await (const each of readEntries(input.stream, format)) {
    const read = readLine(each, { isOwnHash, now: deps.clock() });
    if ('rejected' in read) report.add(each.line, read);
    else batch.push({ line: each.line, entry: read });
    if (batch.length === BATCH_SIZE) await flush();
    if (input.isInterrupted()) return;
  }
  await flush();
}

function readLine(
  fileEntry: FileEntry,
  options: Parameters<typeof readEntry>[1],
): ImportEntry | { readonly rejected: string } {
  if ('rejected' in fileEntry) return fileEntry;
  try {
    return readEntry(fileEntry.members, options);
  } catch (error) {
    if (error instanceof RejectedEntry) return { rejected: error.message };
    throw error;
  }
}
