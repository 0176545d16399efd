/** `users import` */
import { extname } from 'node:path';
import { type Command, Option } from 'commander';
import type { Config } from '../../config.ts';
import { createPasswordPolicy } from '../../features/people/sign-in/password-policy.ts';
import type { ImportDeps } from '../../features/users/import-batch.ts';
import { ENTRY_MEMBERS } from '../../features/users/read-entry.ts';
import { createLog } from '../../lib/log/log.ts';
import { PREFIX } from '../../lib/passwords/password-parameters.ts';
import { createPasswords, type Passwords } from '../../lib/passwords/passwords.ts';
import { type CommandContext, CommandError } from '../context.ts';
import {
  createBatchStore,
  type FileImport,
  importFile,
  openReport,
  toJson,
  toLines,
} from './import/import-file.ts';
import { FORMATS, type Format, openInput, readEntries } from './import/read-file.ts';
import { openSource, type SourceReader } from './import/read-source.ts';
import { SOURCES } from './import/sources/sources.ts';
import { openTrial, readPrehash } from './import/try-password.ts';

interface ImportOptions {
  readonly from?: string;
  readonly passwords?: string;
  readonly hashConfig?: string;
  readonly table?: string;
  readonly format?: Format;
  readonly report?: string;
  readonly fromFrontdesk?: boolean;
  readonly pepper?: string;
  readonly hmacKey?: string;
  readonly prehash?: 'sha256-hex';
  readonly try?: string;
  readonly sendClaims?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  npm run cli -- users import users.csv --report rejected.ndjson
  npm run cli -- users import - --format ndjson < users.ndjson
  npm run cli -- users import export.csv --from-frontdesk
  npm run cli -- users import --from keycloak realm-users-*.json --dry-run
  npm run cli -- users import --from auth0 users.ndjson --passwords hashes.ndjson
  npm run cli -- users import --from firebase users.json --hash-config hash-config.txt
  npm run cli -- users import --from supabase users.csv
  npm run cli -- users import --from pocketbase pb_data/data.db
  npm run cli -- users import --from better-auth user.json --passwords account.json

Columns (or members) without --from:
${ENTRY_MEMBERS.join(', ')}.
Hashes: those of the table in docs/import.md. Emails that have an account are skipped, so the same file can be imported
again. Exits with 2 if a line was rejected or the import was interrupted. Each product has a section in docs/import.md.`;

export function addImportCommand(users: Command, context: CommandContext): void {
  const command = users
    .command('import')
    .description('import users with their passwords or password hashes')
    .argument('<files...>', 'CSV or NDJSON file, or export of another product; - for standard input')
    .addOption(
      new Option('--from <product>', 'product that has exported the files').choices(Object.keys(SOURCES)),
    )
    .option('--passwords <file>', 'password hashes of Auth0, or the table account of better-auth')
    .option('--hash-config <file>', 'password hash parameters of a Firebase project')
    .option('--table <name>', 'collection in a data.db of PocketBase; default: users')
    .addOption(new Option('--format <format>', 'format of the file; default: from its name').choices(FORMATS))
    .option('--report <file>', 'NDJSON file for rejected and skipped lines; - for standard output')
    .addOption(
      new Option(
        '--from-frontdesk',
        'argon2 hashes come from another Frontdesk with the same PASSWORD_PEPPER',
      ).conflicts('from'),
    )
    .option('--send-claims', 'queue a message with a link to set a password for accounts without one')
    .option('--dry-run', 'read and check everything, and store no user')
    .option(
      '--try <email>',
      'with --dry-run: read a password of this user from standard input, and check the hash',
    )
    .option('--json', 'print the result as one JSON object')
    .addHelpText('after', EXAMPLES)
    .action((files: string[], options: ImportOptions) => importUsers(context, files, options));
  for (const option of createHashOptions()) command.addOption(option);
}

/** Creates the options for what hashes do not show, which exclude each other. */
function createHashOptions(): Option[] {
  const names = ['pepper', 'hmacKey', 'prehash', 'fromFrontdesk'];
  return [
    new Option('--pepper <file>', 'pepper of Devise, which is not in the hashes'),
    new Option('--hmac-key <file>', 'SECURITY_PASSWORD_SALT of Flask-Security'),
    new Option('--prehash <form>', 'form of the passwords that were hashed').choices(['sha256-hex']),
  ].map((option) => option.conflicts(names.filter((name) => name !== option.attributeName())));
}

async function importUsers(context: CommandContext, files: readonly string[], options: ImportOptions) {
  checkOptions(files, options);
  const { from, sendClaims = false, dryRun: isDryRun = false } = options;
  const config = context.readSettings();
  const source = from === undefined ? null : await openSource(SOURCES[from]!, options, context);
  const hashes = { isOwnHash: options.fromFrontdesk === true, prehash: readPrehash(options) };
  const trial = options.try === undefined ? null : await openTrial(options.try, context);
  const report = openReport(options.report, context);
  const passwordPolicy = createPasswordPolicy(config.passwordPolicy, createLog('silent'));
  let isInterrupted: boolean;
  try {
    isInterrupted = await context.createOrUseDatabase((database, clock) =>
      withPasswords(config, (passwords) => {
        const deps = { database, clock, passwords, passwordPolicy, sendClaims };
        const shared = { report, hashes, onEntry: trial?.onEntry };
        return importFiles(context, deps, { files, options, source, ...shared });
      }),
    );
  } finally {
    await report.close();
  }
  const result = { counts: report.counts(), notes: report.notes(), source, isInterrupted };
  if (isInterrupted || result.counts.rejected > 0 || trial?.matches() === false) context.reportFindings();
  if (trial !== null) context.printError(trial.describe());
  // Standard output has nothing else than the report.
  const print = options.report === '-' ? context.printError : context.print;
  if (options.json === true) print(JSON.stringify(toJson(result, isDryRun)));
  else for (const line of toLines(result, isDryRun)) print(line);
}

function checkOptions(
  files: readonly string[],
  { from, passwords, hashConfig, table, format, dryRun, ...options }: ImportOptions,
): void {
  if (options.try !== undefined && (dryRun !== true || options.fromFrontdesk || files.includes('-')))
    throw new CommandError(
      '--try is for --dry-run of hashes of other services, which are not standard input',
    );
  if (passwords !== undefined && SOURCES[from ?? '']?.readHash === undefined)
    throw new CommandError('--passwords is for --from auth0 and --from better-auth');
  if (hashConfig !== undefined && from !== 'firebase')
    throw new CommandError('--hash-config is for --from firebase');
  if (table !== undefined && from !== 'pocketbase')
    throw new CommandError('--table is for --from pocketbase');
  if (from !== undefined || format !== undefined) return;
  for (const file of files) getFormat(file);
}

function getFormat(file: string): Format {
  const extension = extname(file).slice(1).toLowerCase();
  const format = extension === 'jsonl' ? 'ndjson' : FORMATS.find((each) => each === extension);
  if (format === undefined)
    throw new CommandError(
      file === '-'
        ? 'the format of standard input is not known: add --format or --from'
        : `the format of ${file} is not known: save it as .csv or .ndjson, or add --format or --from`,
    );
  return format;
}

/** Returns whether the import was interrupted. */
async function importFiles(
  context: CommandContext,
  deps: ImportDeps,
  {
    files,
    options,
    source,
    ...shared
  }: Pick<FileImport, 'report' | 'hashes' | 'onEntry'> & {
    readonly files: readonly string[];
    readonly options: ImportOptions;
    readonly source: SourceReader | null;
  },
): Promise<boolean> {
  const store = createBatchStore(deps, options.dryRun === true);
  for (const path of files) {
    const input = await openInput(path, context);
    const file = { file: path, input: input.stream, format: options.format };
    const entries =
      source?.read({ ...file, now: deps.clock }) ??
      readEntries(input.stream, options.format ?? getFormat(path));
    const name = files.length > 1 ? path : undefined;
    try {
      await importFile({ ...shared, entries, input, store, file: name }, deps.clock);
    } finally {
      input.close();
    }
    if (input.isInterrupted()) return true;
  }
  return false;
}

/** A command waits without a limit, because it is the only user of its queue. */
const MAX_WAIT_MS = 3_600_000;
/** More passwords than a command hashes at once. */
const PLACES = 10_000;

/** Runs `work` with the hashing threads of the settings, which start with the first password. */
async function withPasswords<T>(
  { passwordThreads, passwordPepper }: Config,
  work: (passwords: Passwords) => Promise<T>,
): Promise<T> {
  const passwords = createPasswords({
    threads: passwordThreads,
    queueLimit: PLACES,
    maxWaitMs: MAX_WAIT_MS,
    oldestPrefix: () => PREFIX,
    pepper: passwordPepper,
  });
  return work(passwords).finally(() => passwords.close());
}
