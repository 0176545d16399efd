/** Commands about users. */
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { addChangeCommands } from './users/change-commands.ts';
import { addCreateCommand } from './users/create-command.ts';
import { addExportCommand } from './users/export-command.ts';
import { addImportCommand } from './users/import-command.ts';
import { addListCommands } from './users/list-command.ts';

/** Adds the commands. `readSettings` is called by the command that runs. */
export function addUserCommands(program: Command, readSettings: () => Config): void {
  const users = program.command('users').description('create, show, change, import and export users');
  addCreateCommand(users, readSettings);
  addListCommands(users, readSettings);
  addChangeCommands(users, readSettings);
  addImportCommand(users, readSettings);
  addExportCommand(users, readSettings);
}
