/** Context of a command: the streams that it reads and writes, those of the process or of a test. */
import type { Readable, Writable } from 'node:stream';
import type { ProcessEnvironment } from '../config/environment-file.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { Clock } from '../lib/time.ts';

export interface CommandProcess {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
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
