/** `users export` */
import { createWriteStream, openSync } from 'node:fs';
import { Readable, type Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { stringify } from 'csv-stringify';
import type { Database } from '../../database/database.ts';
import { EXPORT_COLUMNS } from '../../features/users/export-users/columns.ts';
import { allAccounts } from '../../features/users/export-users/queries.ts';
import { userView } from '../../features/users/user-responses.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../output.ts';
import { withDatabase } from '../with-database.ts';
import { FORMATS, type Format } from './import/read-file.ts';

interface Options {
  readonly format: Format;
  readonly output?: string;
  readonly withPasswordHashes?: boolean;
}

const EXAMPLES = `
Examples:
  npm run cli -- users export --output users.csv
  npm run cli -- users export --format ndjson --with-password-hashes --output users.ndjson

With --with-password-hashes, the file contains what is needed to guess passwords. Another Frontdesk imports it with
users import --from-frontdesk, if it has the same PASSWORD_PEPPER.`;

/** Adds the command. */
export function addExportCommand(users: Command, context: CommandContext): void {
  users
    .command('export')
    .description('export all accounts')
    .addOption(new Option('--format <format>', 'of the output').choices(FORMATS).default('csv'))
    .option('--output <file>', 'write to this file, readable by its owner only, instead of standard output')
    .option('--with-password-hashes', 'include the password hashes')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => exportUsers(context, options));
}

async function exportUsers({ readSettings, stdout }: CommandContext, options: Options): Promise<void> {
  const { format, output, withPasswordHashes = false } = options;
  const columns = withPasswordHashes ? [...EXPORT_COLUMNS, 'password_hash'] : EXPORT_COLUMNS;
  await withDatabase(readSettings(), async (database) => {
    const rows = Readable.from(exportedRows(database, withPasswordHashes));
    const target = output === undefined ? stdout : openOutput(output);
    await pipeline(rows, formatter(format, columns), target, { end: output !== undefined });
  });
}

async function* exportedRows(database: Database, withHashes: boolean): AsyncGenerator<object> {
  for await (const { password_hash, ...user } of allAccounts(database)) {
    yield { ...userView(user), ...(withHashes ? { password_hash } : {}) };
  }
}

function formatter(
  format: Format,
  columns: readonly string[],
): Transform | ((rows: AsyncIterable<object>) => AsyncIterable<string>) {
  return format === 'csv' ? stringify({ header: true, columns }) : toLines;
}

async function* toLines(rows: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}

/** @throws CommandError */
function openOutput(file: string): Writable {
  try {
    return createWriteStream(file, { fd: openSync(file, 'w', 0o600) });
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  }
}
