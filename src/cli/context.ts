/** Context and output of a command: the streams that it reads and writes, those of the process or of a test. */
import type { Readable, Writable } from 'node:stream';
import type { ProcessEnvironment } from '../config/environment-file.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { readText } from '../lib/files.ts';
import type { Clock } from '../lib/time.ts';

export interface CommandProcess {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /**
   * Called before a list or a text is written, of which a reader such as `head` may read a part. Without it, a command
   * fails if its reader ends before everything is written: a file would be cut off, or a secret lost.
   */
  readonly letReaderEnd: () => void;
  /** Called by commands that need settings. @throws ConfigError */
  readonly readEnvironment: () => ProcessEnvironment;
  /** Calls `listener` at Ctrl-C instead of exiting, until the function that it returns is called. */
  readonly onInterrupt: (listener: () => void) => () => void;
}

type WithDatabase = <T>(work: (database: Database, clock: Clock) => Promise<T>) => Promise<T>;

export interface CommandContext extends CommandProcess {
  /** @throws ConfigError */
  readonly readSettings: () => Config;
  /** Runs `work` with the database of the settings. @throws CommandError if it has the schema of an older release */
  readonly withDatabase: WithDatabase;
  /** The same for commands that may precede the first start: creates the tables of an empty database. */
  readonly createOrUseDatabase: WithDatabase;
  readonly print: (line: string) => void;
  readonly printJson: (value: unknown) => void;
  readonly printError: (line: string) => void;
  /** The command exits with `FINDINGS`: it has done its work and found something to look at. */
  readonly reportFindings: () => void;
}

export const FAILURE = 1;

/** Exit status when a command has done its work and found something to look at. */
export const FINDINGS = 2;

/** The command cannot be completed. The message is one line for the operator. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** Returns the text for a terminal: control characters in user-supplied names would control it. */
export function printable(text: string | null): string {
  return text === null || text === '' ? '-' : text.replace(/\p{C}/gu, '\uFFFD');
}

export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}

/** Returns each record as a line of JSON. */
export async function* toJsonLines(records: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`;
}

/** Returns the text of a file that the command line names. @throws CommandError */
export function readTextFile(file: string): string {
  try {
    return readText(file);
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}
