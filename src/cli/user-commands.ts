/** Commands about users. */
import type { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { addChangeCommands } from './users/change-commands.ts';
import { addCreateCommand } from './users/create-command.ts';
import { addExportCommand } from './users/export-command.ts';
import { addImportCommand } from './users/import-command.ts';
import { addListCommands } from './users/list-command.ts';

/** Adds the commands. */
export function addUserCommands(program: Command, context: CommandContext): void {
  const users = program.command('users').description('create, show, change, import and export users');
  addCreateCommand(users, context);
  addListCommands(users, context);
  addChangeCommands(users, context);
  addImportCommand(users, context);
  addExportCommand(users, context);
}
