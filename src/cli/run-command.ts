/** Runs operator commands. Each group of commands has a file beside this one. */
import { Command, CommanderError } from 'commander';
import { COMMAND_LINE, runInContext } from '../callers/action-context.ts';
import { createDataDirectory } from '../config/data-directory.ts';
import { describeConfigError, type ProcessEnvironment } from '../config/environment-file.ts';
import { type Config, ConfigError, checkSettingNames, readConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import { compareSchema, migrate } from '../database/migrate.ts';
import { isCreated, openDatabase } from '../database/open.ts';
import { withMarks } from '../features/events/chain/chain.ts';
import { MIGRATE } from '../features/operation/checks/finding.ts';
import type { Clock } from '../lib/time.ts';
import { checkLater } from '../startup/prepare-database.ts';
import { getSecretKey } from '../startup/secret-files.ts';
import { addApiCommand } from './api/api-command.ts';
import { addBackupCommands } from './backup-commands.ts';
import { type CommandContext, CommandError, type CommandProcess, FAILURE, FINDINGS } from './context.ts';
import { addCredentialCommands } from './credential-commands.ts';
import { addDescriptionCommands } from './description-commands.ts';
import { addDoctorCommand } from './doctor-command.ts';
import { addEventCommands } from './events-commands.ts';
import { addMaintenanceCommands } from './maintenance-commands.ts';
import { addSigningKeyCommands } from './signing-key-commands.ts';
import { addExportCommand } from './users/export-command.ts';
import { addImportCommand } from './users/import-command.ts';

const GROUPS = [
  addApiCommand,
  addUserCommands,
  addMaintenanceCommands,
  addBackupCommands,
  addCredentialCommands,
  addDoctorCommand,
  addDescriptionCommands,
  addEventCommands,
  addSigningKeyCommands,
];

/** Runs the command that the arguments name, and returns the exit status. Errors are reported on standard error. */
export async function runCommand(args: readonly string[], process: CommandProcess): Promise<number> {
  let status = 0;
  let environment: ProcessEnvironment | undefined;
  const readEnvironment = () => {
    environment ??= process.readEnvironment();
    return environment;
  };
  const { stdout, stderr } = process;
  const readSettings = () => {
    checkSettingNames(readEnvironment());
    return readConfig(readEnvironment().variables);
  };
  const print = (line: string) => void stdout.write(`${line}\n`);
  const context: CommandContext = {
    ...process,
    readEnvironment,
    readSettings,
    withDatabase: (work) => withDatabase(readSettings(), false, work),
    createOrUseDatabase: (work) => withDatabase(readSettings(), true, work),
    print,
    printJson: (value) => print(JSON.stringify(value, null, 2)),
    printError: (line) => void stderr.write(`${line}\n`),
    reportFindings: () => {
      status = FINDINGS;
    },
  };
  const program = createProgram(context);
  try {
    await runInContext(COMMAND_LINE, () => program.parseAsync(args, { from: 'user' }));
    return status;
  } catch (error) {
    // Commander has printed its message or the help.
    if (error instanceof CommanderError) return error.exitCode;
    context.printError(`${program.args[0]}: ${describeError(error, environment)}`);
    return FAILURE;
  }
}

export function createProgram(context: CommandContext): Command {
  const program = new Command('npm run cli --')
    .description(
      'Operator commands of Frontdesk. Settings are environment variables or in the file .env, as for the service.',
    )
    .showHelpAfterError()
    .exitOverride()
    .configureOutput({
      writeOut(text) {
        context.letReaderEnd();
        context.stdout.write(text);
      },
      writeErr: (text) => void context.stderr.write(text),
    });
  for (const addCommands of GROUPS) addCommands(program, context);
  return program;
}

function addUserCommands(program: Command, context: CommandContext): void {
  const users = program.command('users').description('import and export users');
  addImportCommand(users, context);
  addExportCommand(users, context);
}

function describeError(error: unknown, environment: ProcessEnvironment | undefined): string {
  if (error instanceof ConfigError) return describeConfigError(error, environment);
  return error instanceof Error ? error.message : String(error);
}

/** Runs `work` with the database. A service of an older release may be running, so that only `migrate` migrates. */
async function withDatabase<T>(
  config: Config,
  creates: boolean,
  work: (database: Database, clock: Clock) => Promise<T>,
): Promise<T> {
  if (!creates && !isCreated(config))
    throw new CommandError(`there is no database in ${config.dataDir} yet: ${MIGRATE}`);
  createDataDirectory(config);
  const opened = openDatabase(config);
  try {
    await requireSchema(opened, creates);
    const database = withMarks(opened, await checkLater(opened, () => getSecretKey(config)));
    // The same clock as that of the nodes. A machine whose own clock differs does not matter to one command.
    return await work(database, await database.startClock(() => {}));
  } finally {
    await opened.close();
  }
}

/** @throws CommandError unless the database has the schema of this release */
async function requireSchema(database: Database, creates: boolean): Promise<void> {
  const { missing } = await compareSchema(database);
  if (missing === 0) return;
  const isEmpty = !(await database.hasTable('schema_migrations'));
  if (isEmpty && creates) await migrate(database);
  else if (isEmpty) throw new CommandError(`the database is empty: ${MIGRATE}`);
  else throw new CommandError(`the database has the schema of an older release: ${MIGRATE}`);
}
