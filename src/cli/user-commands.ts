/** Commands about users. */
import type { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { addExportCommand } from './users/export-command.ts';
import { addImportCommand } from './users/import-command.ts';

/** Adds the commands. */
export function addUserCommands(program: Command, context: CommandContext): void {
  const users = program.command('users').description('import and export users');
  addImportCommand(users, context);
  addExportCommand(users, context);
}
