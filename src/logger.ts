/** The log of the process on standard output: JSON lines, or readable lines on a terminal. */
import type { LogLevel } from './config.ts';
import { createLog } from './lib/log/log.ts';
import { createLogDestination } from './lib/log/log-destination.ts';

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Standard output is a terminal: lines are formatted for people. */
  readonly isTerminal: boolean;
}

export type ProcessLogger = Awaited<ReturnType<typeof createLogger>>;

/** Creates the log of the process. */
export async function createLogger({ level, isTerminal }: LoggerOptions) {
  // Loaded for terminals only: the import costs as much as that of pino itself.
  const terminal = isTerminal ? await import('./lib/log/terminal-format.ts') : null;
  const format = terminal?.formatForTerminal ?? ((line: string) => line);
  const destination = createLogDestination((droppedLines) => {
    logger.warn(
      { dropped_lines: droppedLines },
      'log lines were dropped because standard output could not be written',
    );
  });
  const logger = createLog(level, {
    write: (line) => destination.write(format(line)),
    flush: (done) => void destination.flush().then(() => done()),
  });
  /** `flush` writes the buffered lines, within about a second. To be called before the process exits. */
  return { logger, flush: destination.flush };
}
