/** `backup create`, `backup verify` and `backup restore`. */
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { createDataDirectory } from '../config/data-directory.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { compareSchema } from '../database/migrate.ts';
import { isCreated, openDatabase } from '../database/open.ts';
import { writeBackup, writeBackupFile } from '../features/backups/create-backup.ts';
import { BackupRejected } from '../features/backups/format/manifest.ts';
import { readIdentities } from '../features/backups/format/streams.ts';
import { type Fact, readFacts, readLedger } from '../features/backups/ledger.ts';
import { restoreBackup } from '../features/backups/restore/load-backup.ts';
import { type BackupReport, nameBackup, recordBackup } from '../features/backups/status/backup-events.ts';
import { withMarks } from '../features/events/chain/chain.ts';
import { formatCount } from '../lib/text/text.ts';
import { ageRecipient, InvalidValue } from '../settings/rules.ts';
import { verifyBackup } from '../startup/backups/verify-backup.ts';
import { checkLater } from '../startup/prepare-database.ts';
import { readExistingSecretKey } from '../startup/secret-files.ts';
import { type CommandContext, CommandError, readTextFile } from './context.ts';

const EXAMPLES = `
Examples:
  npm run cli -- backup create
  npm run cli -- backup create - --recipient age1… | ssh backup@example.com 'cat > frontdesk.age'
  npm run cli -- backup verify frontdesk-20261123T031500Z.ndjson.zst
  npm run cli -- backup restore frontdesk.age --identity key.txt --replace

create and verify run beside the service; stop it before restore. A backup restores into either engine: the one that
DATABASE_URL selects. It does not contain SECRET_KEY, which verify and restore need: keep the file secret-key elsewhere.
restore ends all tokens of users, and repeats what the ledger beside the backup says was erased, disabled or revoked since.
verify restores the backup into a directory of DATA_DIR, starts a service on it, and removes it again.`;

interface SourceOptions {
  readonly identity?: string;
  readonly replace?: boolean;
  readonly anySecretKey?: boolean;
  readonly keepTokens?: boolean;
}

export function addBackupCommands(program: Command, context: CommandContext): void {
  const backup = program
    .command('backup')
    .description('create, verify and restore backups')
    .addHelpText('after', EXAMPLES);
  backup
    .command('create')
    .description('write all data into one file, also while services run')
    .argument('[file]', 'file to write, or - for standard output; default: a name with the time')
    .option('--recipient <key>', 'encrypt for this public key of age; default: BACKUP_RECIPIENT')
    .action((file: string | undefined, options: { recipient?: string }) => create(context, file, options));
  backup
    .command('verify')
    .description('restore the file into a scratch database, and use a service on it')
    .argument('<file>')
    .option('--identity <file>', 'file with the secret key of age')
    .action((file: string, options: SourceOptions) => verify(context, file, options));
  backup
    .command('restore')
    .description('fill the database with the contents of the file')
    .argument('<file>')
    .option('--identity <file>', 'file with the secret key of age')
    .option('--replace', 'replace a database with users or events; a SQLite file is kept beside the new one')
    .option('--keep-tokens', 'keep the tokens of users, also those that were revoked since: for a move')
    .option('--any-secret-key', 'accept a backup whose SECRET_KEY is lost; run accept-secret-key afterwards')
    .action((file: string, options: SourceOptions) => restore(context, file, options));
}

async function create(
  context: CommandContext,
  given: string | undefined,
  options: { readonly recipient?: string },
): Promise<void> {
  const config = context.readSettings();
  if (!isCreated(config)) throw new CommandError(`there is no database in ${config.dataDir}`);
  const recipient =
    options.recipient === undefined ? config.backups.recipient : readRecipient(options.recipient);
  const recipients = recipient === null ? [] : [recipient];
  const file = given ?? nameBackup(Date.now(), recipient !== null);
  // Not migrated: a backup before an upgrade has the older schema.
  const opened = openDatabase(config);
  const create = async (onRows: (rows: number) => void): Promise<string | undefined> => {
    if (file === '-') {
      await writeBackup(opened, context.stdout, { recipients, onRows });
      return;
    }
    const start = performance.now();
    const written = await writeBackupFile(opened, file, { recipients, onRows }).catch((error) => {
      // The error of the system names the file by its provisional name.
      if (error.syscall === undefined) throw error;
      throw new CommandError(`${file} cannot be written: ${error.code}`);
    });
    await record(opened, config, {
      file,
      report: { kind: 'created', ...written, durationMs: Math.round(performance.now() - start) },
    });
    return `${file}: ${formatCount(written.rows, 'row')}, ${formatCount(written.bytes, 'byte')}`;
  };
  const line = await withProgress(context, file, create).finally(() => opened.close());
  if (line !== undefined) context.print(line);
}

function readRecipient(given: string): string {
  try {
    return ageRecipient(given);
  } catch (error) {
    throw error instanceof InvalidValue ? new CommandError(`--recipient ${error.message}`) : error;
  }
}

/** A database with another schema may not have what an event needs. */
async function record(
  opened: Database,
  config: Config,
  { file, report }: { readonly file: string; readonly report: BackupReport },
): Promise<void> {
  if ((await compareSchema(opened)).missing > 0) return;
  const database = withMarks(opened, await checkLater(opened, () => readExistingSecretKey(config)));
  await database.transaction((tx) => recordBackup(tx, report, { file, now: Date.now() }));
}

async function verify(context: CommandContext, file: string, options: SourceOptions): Promise<void> {
  const { dataDir, ...config } = context.readSettings();
  createDataDirectory({ ...config, dataDir, secretKey: null });
  const secretKey = readExistingSecretKey({ ...config, dataDir });
  await withProgress(context, file, (onRows, clear) => {
    const onCheck = (description: string) => {
      clear();
      context.print(`ok  ${description}`);
    };
    return verifyBackup({ file, secretKey, ...readKeys(options) }, { dataDir, onRows, onCheck });
  });
  context.print(`${file} was restored and used: it is a good backup.`);
}

async function restore(context: CommandContext, file: string, options: SourceOptions): Promise<void> {
  const { replace: replaces = false, anySecretKey = false, keepTokens: keepsTokens = false } = options;
  const config = context.readSettings();
  createDataDirectory({ ...config, secretKey: null });
  const secretKey = anySecretKey ? null : readExistingSecretKey(config);
  const { result, kept, facts } = await withProgress(context, file, async (onRows) => {
    const facts = [
      ...[dirname(file), config.backups.directory ?? dirname(file)].flatMap(readLedger),
      ...(isCreated(config) ? await readOldFacts(context, config) : []),
    ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
    const restored = { replaces, keepsTokens, facts, onRows };
    return { facts, ...(await restoreBackup(config, { file, secretKey, ...readKeys(options) }, restored)) };
  });
  const { rows, manifest, repeated, missed } = result;
  context.print(`Restored ${formatCount(rows, 'row')} of ${manifest.created_at}.`);
  for (const { type, subject } of repeated) context.print(`repeated      ${type} ${subject}`);
  for (const { type, subject, at } of missed) context.print(`not repeated  ${type} ${subject} of ${at}`);
  context.print(`What has ended since is known up to ${facts.at(-1)?.at ?? manifest.created_at}.`);
  if (missed.length > 0) context.reportFindings();
  if (kept !== null) context.print(`The old database is kept as ${kept}: delete it when you do not need it.`);
}

/** Returns what the database that is replaced knows. */
async function readOldFacts(context: CommandContext, config: Config): Promise<Fact[]> {
  const database = openDatabase(config);
  const facts: Fact[] = [];
  try {
    if (await database.hasTable('event_chain'))
      for await (const batch of readFacts(database, 0)) facts.push(...batch.facts);
  } catch (error) {
    context.printError(`The old database cannot be read: ${(error as Error).message}`);
  } finally {
    await database.close();
  }
  return facts;
}

function readKeys({ identity }: SourceOptions) {
  return { identities: identity === undefined ? [] : readIdentities(identity, readTextFile(identity)) };
}

const PROGRESS_INTERVAL_MS = 500;

/** Shows the number of rows on a terminal during `work`, and names the file in the reason why it is rejected. */
async function withProgress<T>(
  { stderr }: CommandContext,
  file: string,
  work: (onRows: (rows: number) => void, clear: () => void) => Promise<T>,
): Promise<T> {
  let next = 0;
  const clear = () => {
    if (next > 0) stderr.write('\r\u001b[K');
    next = 0;
  };
  const onRows = (rows: number) => {
    if (stderr.isTTY !== true || performance.now() < next) return;
    next = performance.now() + PROGRESS_INTERVAL_MS;
    stderr.write(`\r${rows.toLocaleString('en')} rows`);
  };
  try {
    return await work(onRows, clear);
  } catch (error) {
    if (error instanceof BackupRejected) throw new CommandError(`${file} is rejected: ${error.message}`);
    throw error;
  } finally {
    clear();
  }
}
