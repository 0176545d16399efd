/** Commands about the record of events. */
import type { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { addEventListCommands } from './events/list-commands.ts';
import { addVerifyCommand } from './events/verify-command.ts';

/** Adds the commands. */
export function addEventCommands(program: Command, context: CommandContext): void {
  const events = program.command('events').description('list, export and verify the record of events');
  addEventListCommands(events, context);
  addVerifyCommand(events, context);
}
