/** `users export` */
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { stringify } from 'csv-stringify';
import type { Database } from '../../database/database.ts';
import { csvFormat, EXPORT_COLUMNS, recordUserExport } from '../../features/users/export-users.ts';
import { readAllAccounts } from '../../features/users/queries.ts';
import { userView } from '../../features/users/records/user-responses.ts';
import { replaceFile } from '../../lib/files.ts';
import { type CommandContext, CommandError, toJsonLines } from '../context.ts';
import { FORMATS, type Format } from './import/read-file.ts';

interface ExportOptions {
  readonly format: Format;
  readonly output: string;
  readonly withPasswordHashes?: boolean;
}

const EXAMPLES = `
Examples:
  npm run cli -- users export --output users.csv
  npm run cli -- users export --format ndjson --with-password-hashes --output users.ndjson

The file is replaced when the export is complete. An apostrophe before values that begin with = + - @ keeps spreadsheets
from executing them; users import removes it. With --with-password-hashes, the file contains what is needed to guess passwords. Another Frontdesk imports it with
users import --from-frontdesk, if it has the same PASSWORD_PEPPER.`;

export function addExportCommand(users: Command, context: CommandContext): void {
  users
    .command('export')
    .description('export all accounts')
    .addOption(new Option('--format <format>', 'format of the output').choices(FORMATS).default('csv'))
    .option(
      '--output <file>',
      'write to this file, readable by its owner only; default: - for standard output',
      '-',
    )
    .option('--with-password-hashes', 'include the password hashes')
    .addHelpText('after', EXAMPLES)
    .action((options: ExportOptions) => exportUsers(context, options));
}

async function exportUsers(context: CommandContext, options: ExportOptions): Promise<void> {
  const { format, output, withPasswordHashes = false } = options;
  const columns = withPasswordHashes ? [...EXPORT_COLUMNS, 'password_hash'] : EXPORT_COLUMNS;
  await context.withDatabase(async (database, clock) => {
    await recordUserExport({ database, clock }, { with_password_hashes: withPasswordHashes });
    const rows = Readable.from(exportedRows(database, withPasswordHashes));
    if (output === '-') return pipeline(rows, formatter(format, columns), context.stdout, { end: false });
    await writeFile(output, context, (stream, signal) =>
      pipeline(rows, formatter(format, columns), stream, { signal }),
    );
  });
}

/** Writes the file. Ctrl-C leaves it as it was. @throws CommandError */
async function writeFile(
  file: string,
  { onInterrupt }: CommandContext,
  write: (stream: Writable, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const ignoreInterrupts = onInterrupt(() => controller.abort());
  try {
    await replaceFile(file, (stream) => write(stream, controller.signal));
  } catch (error) {
    if (controller.signal.aborted) throw new CommandError(`interrupted: ${file} was not written`);
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new CommandError(`${file} cannot be written: ${code}`);
  } finally {
    ignoreInterrupts();
  }
}

async function* exportedRows(database: Database, withHashes: boolean): AsyncGenerator<object> {
  for await (const { password_hash, ...user } of readAllAccounts(database)) {
    yield { ...userView(user), ...(withHashes ? { password_hash } : {}) };
  }
}

function formatter(format: Format, columns: readonly string[]) {
  return format === 'csv' ? stringify({ header: true, ...csvFormat(columns) }) : toJsonLines;
}
