/** Counts the results of an import by line, and reports lines that were not imported. */
import { createWriteStream, openSync, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { ImportOutcome } from '../../../features/users/import-users/import-batch.ts';
import { CommandError } from '../../output.ts';

export interface ImportCounts {
  readonly imported: number;
  readonly existing: number;
  readonly rejected: number;
}

/** `file` is given when there are several. */
export interface ReportPlace {
  readonly file?: string | undefined;
  readonly line: number;
}

export interface ImportReport {
  add(place: ReportPlace, outcome: ImportOutcome): void;
  counts(): ImportCounts;
  close(): Promise<void>;
}

/**
 * Opens a report as NDJSON in `file`; without one, rejected lines are reported by `printError`. It contains line
 * numbers and no values: in a file whose columns are mixed up, any of them may be a password.
 * @throws CommandError
 */
export function openReport(file: string | undefined, printError: (line: string) => void): ImportReport {
  const counts = { imported: 0, existing: 0, rejected: 0 };
  const stream = file === undefined ? null : openStream(file);
  const finishedWriting = stream === null ? Promise.resolve() : finished(stream);
  // Reported by close(); an import is not stopped for its report.
  finishedWriting.catch(() => {});
  return {
    add({ file, line }, outcome) {
      const status = typeof outcome === 'string' ? outcome : 'rejected';
      counts[status]++;
      if (status === 'imported') return;
      const reason = typeof outcome === 'string' ? 'The email has an account.' : outcome.rejected;
      if (stream !== null) stream.write(`${JSON.stringify({ file, line, status, reason })}\n`);
      else if (status === 'rejected')
        printError(`${file === undefined ? '' : `${file}: `}line ${line}: ${reason}`);
    },
    counts: () => counts,
    async close() {
      stream?.end();
      await finishedWriting;
    },
  };
}

function openStream(file: string): WriteStream {
  try {
    return createWriteStream(file, { fd: openSync(file, 'w', 0o600) });
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  }
}
