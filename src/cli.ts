/** Operator commands: `npm run cli -- <command>`. Each group of commands has a file in `cli/`. */
import { Command } from 'commander';
import { addAdminTokenCommands } from './cli/admin-token-commands.ts';
import { addDatabaseCommands } from './cli/database-commands.ts';
import { addDoctorCommand } from './cli/doctor-command.ts';
import { addMailCommands } from './cli/mail-commands.ts';
import { addOpenApiCommands } from './cli/openapi-commands.ts';
import { addStatisticsCommands } from './cli/statistics-commands.ts';
import { addTokenCommands } from './cli/token-commands.ts';
import { addUserCommands } from './cli/user-commands.ts';
import { readConfig } from './config.ts';

const program = new Command('npm run cli --')
  .description('Operator commands of Frontdesk. Settings are environment variables, as for the service.')
  .showHelpAfterError();
const readSettings = () => readConfig(process.env);
addUserCommands(program, readSettings);
addTokenCommands(program, readSettings);
addAdminTokenCommands(program, readSettings);
addDoctorCommand(program, readSettings);
addDatabaseCommands(program, readSettings);
addOpenApiCommands(program, readSettings);
addStatisticsCommands(program, readSettings);
addMailCommands(program, readSettings);

// Database and secret files are readable by their owner only.
process.umask(0o077);
// A reader such as `head` has read enough.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
try {
  await program.parseAsync();
} catch (error) {
  const [command] = program.args;
  console.error(`${command}: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
