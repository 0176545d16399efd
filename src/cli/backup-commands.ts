/** `backup create`, `backup verify` and `backup restore`. */
import type { Command } from 'commander';
import { createDataDirectory } from '../config/data-directory.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { compareSchema } from '../database/migrate.ts';
import { isCreated, openDatabase } from '../database/open.ts';
import { writeBackupFile } from '../features/backups/backup-file.ts';
import { writeBackup } from '../features/backups/create-backup.ts';
import { BackupRejected } from '../features/backups/format/manifest.ts';
import { restoreBackup } from '../features/backups/restore/restore-backup.ts';
import { nameBackup, recordCreated } from '../features/backups/status/record-backup.ts';
import { withMarks } from '../features/events/chain/marks.ts';
import { formatCount } from '../lib/text/text.ts';
import { verifyBackup } from '../startup/backups/verify-backup.ts';
import { readExistingSecretKey } from '../startup/secret-files.ts';
import { checkLater } from '../startup/secret-key-check.ts';
import type { CommandContext } from './context.ts';
import { CommandError } from './output.ts';

const EXAMPLES = `
Examples:
  npm run cli -- backup create
  npm run cli -- backup create - --recipient age1… | ssh backup@example.com 'cat > frontdesk.age'
  npm run cli -- backup verify frontdesk-20261123T031500Z.ndjson.zst
  npm run cli -- backup restore frontdesk.age --identity key.txt --replace

create and verify run beside the service; stop it before restore. A backup restores into either engine: the one that
DATABASE_URL selects. It does not contain SECRET_KEY, which verify and restore need: keep the file secret-key elsewhere.
verify restores the backup into a directory of DATA_DIR, starts a service on it, and removes it again.`;

interface SourceOptions {
  readonly identity?: string;
}

interface RestoreOptions extends SourceOptions {
  readonly replace?: boolean;
  readonly anySecretKey?: boolean;
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
    .option('--any-secret-key', 'accept a backup whose SECRET_KEY is lost; run accept-secret-key afterwards')
    .action((file: string, options: RestoreOptions) => restore(context, file, options));
}

async function create(
  context: CommandContext,
  given: string | undefined,
  options: { readonly recipient?: string },
): Promise<void> {
  const config = context.readSettings();
  if (!isCreated(config)) throw new CommandError(`there is no database in ${config.dataDir}`);
  const recipient = options.recipient ?? config.backups.recipient;
  const file = given ?? nameBackup(Date.now(), recipient !== null);
  // Not migrated: a backup before an upgrade has the older schema.
  const opened = openDatabase(config);
  const progress = startProgress(context);
  try {
    if (file === '-') {
      await writeBackup(opened, context.stdout, { recipient, end: false, onRows: progress.report });
      return;
    }
    const startedAt = Date.now();
    const written = await writeBackupFile(opened, file, { recipient, onRows: progress.report });
    progress.end();
    await record(opened, config, { ...written, file, durationMs: Date.now() - startedAt });
    context.print(`${file}: ${formatCount(written.rows, 'row')}, ${formatCount(written.bytes, 'byte')}`);
  } finally {
    progress.end();
    await opened.close();
  }
}

/** A database with another schema may not have what an event needs. */
async function record(
  opened: Database,
  config: Config,
  backup: Parameters<typeof recordCreated>[1],
): Promise<void> {
  if ((await compareSchema(opened)).missing > 0) return;
  const database = withMarks(opened, await checkLater(opened, () => readExistingSecretKey(config)));
  await database.transaction((tx) => recordCreated(tx, backup, Date.now()));
}

async function verify(
  context: CommandContext,
  file: string,
  { identity = null }: { readonly identity?: string | null },
): Promise<void> {
  const config = context.readSettings();
  createDataDirectory({ ...config, secretKey: null });
  const secretKey = readExistingSecretKey(config);
  const progress = startProgress(context);
  const onCheck = (description: string) => {
    progress.end();
    context.print(`ok  ${description}`);
  };
  const { dataDir } = config;
  await explain(file, progress, () =>
    verifyBackup({ file, identity, secretKey }, { dataDir, onRows: progress.report, onCheck }),
  );
  context.print(`${file} was restored and used: it is a good backup.`);
}

async function restore(context: CommandContext, file: string, options: RestoreOptions): Promise<void> {
  const { identity = null, replace: replaces = false, anySecretKey = false } = options;
  const config = context.readSettings();
  createDataDirectory({ ...config, secretKey: null });
  const secretKey = anySecretKey ? null : readExistingSecretKey(config);
  const progress = startProgress(context);
  const { result, kept } = await explain(file, progress, () =>
    restoreBackup(config, { file, identity, secretKey }, { replaces, onRows: progress.report }),
  );
  const { rows, manifest } = result;
  context.print(`Restored ${formatCount(rows, 'row')} of ${manifest.created_at}.`);
  if (kept !== null) context.print(`The old database is kept as ${kept}: delete it when you do not need it.`);
}

/** Names the file in the reason why it is rejected. */
async function explain<T>(
  file: string,
  progress: { readonly end: () => void },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BackupRejected) throw new CommandError(`${file} is rejected: ${error.message}`);
    throw error;
  } finally {
    progress.end();
  }
}

const PROGRESS_INTERVAL_MS = 500;

/** Shows the number of rows on a terminal. */
function startProgress({ stderr }: CommandContext) {
  let next = 0;
  const isShown = () => next > 0;
  const report = (rows: number) => {
    if (stderr.isTTY !== true || performance.now() < next) return;
    next = performance.now() + PROGRESS_INTERVAL_MS;
    stderr.write(`\r${rows.toLocaleString('en')} rows`);
  };
  const end = () => {
    if (isShown()) stderr.write('\r\u001b[K');
    next = 0;
  };
  return { report, end };
}
