/** The process's log: JSON lines on standard output, written in batches so that a line costs no system call. */
import { pino } from 'pino';
import type { LogLevel } from './config.ts';
import { StandardOutput } from './lib/standard-output.ts';

const BATCH_LENGTH = 65_536;
const FLUSH_EVERY_MS = 200;

export interface ProcessLogger {
  readonly logger: pino.Logger;
  /** Writes what is still in memory, as far as a second allows: the last thing a process does. */
  flush(): void;
}

/** Members that could carry a secret, wherever they turn up (OWASP ASVS 5.0, 16.2.5). */
const SECRETS = ['authorization', 'password', 'access_token', 'token', 'idempotency-key'];

/** Gives the log of the process, on standard output. */
export function createLogger(level: LogLevel): ProcessLogger {
  const output = new StandardOutput((lostLines) => {
    logger.warn({ lost_lines: lostLines }, 'standard output could not be written, lines of the log are lost');
  });
  let batch = '';
  const handOver = () => {
    if (batch === '') return;
    const lines = batch;
    batch = '';
    output.write(lines);
  };
  const lines = {
    write(line: string) {
      batch += line;
      if (batch.length >= BATCH_LENGTH) handOver();
    },
  };
  const timer = setInterval(handOver, FLUSH_EVERY_MS).unref();
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: SECRETS.flatMap((name) => ['', '*', '*.*'].map((depth) => `${depth}["${name}"]`)),
        censor: '[redacted]',
      },
      serializers: { err: errorForLog },
    },
    lines,
  );
  return {
    logger,
    flush() {
      clearInterval(timer);
      handOver();
      output.flush();
    },
  };
}

/** Not the driver's own members: `detail` of a database error quotes rows, and rows are people's data. */
function errorForLog(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  const code = (error as { code?: unknown }).code;
  const cause = error.cause === undefined ? {} : { cause: errorForLog(error.cause) };
  return { name, message, stack, ...(code === undefined ? {} : { code }), ...cause };
}
