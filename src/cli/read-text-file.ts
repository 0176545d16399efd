import { readText } from '../lib/files/read-text.ts';
import { CommandError } from './output.ts';

/** Returns the text of a file that the command line names. @throws CommandError */
export function readTextFile(file: string): string {
  try {
    return readText(file);
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}
