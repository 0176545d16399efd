/** Imports the entries of one file in batches. */
import {
  checkBatch,
  type ImportDeps,
  type ImportOutcome,
  importBatch,
} from '../../../features/users/import-batch.ts';
import {
  type EntryOptions,
  type ImportEntry,
  RejectedEntry,
  readEntry,
} from '../../../features/users/read-entry.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import type { InputFile } from './read-file.ts';
import type { FileRecord } from './read-records.ts';
import type { ImportReport } from './report.ts';

/** Few enough that an interruption loses little work, and that requests do not wait long for the lock. */
const BATCH_SIZE = 500;

type StoreBatch = (entries: readonly ImportEntry[]) => Promise<ImportOutcome[]>;

/** Creates the function that stores a batch, or only returns its outcome in a dry run. */
export function createBatchStore(deps: ImportDeps, isDryRun: boolean): StoreBatch {
  if (!isDryRun) return (entries) => importBatch(deps, entries);
  const emails = new Set<string>();
  return async (entries) => {
    const outcomes = await checkBatch(deps, entries);
    return outcomes.map((outcome, index) => {
      const email = normalizeEmail(entries[index]!.email);
      if (outcome !== 'imported') return outcome;
      if (emails.has(email)) return 'existing';
      emails.add(email);
      return outcome;
    });
  };
}

export interface FileImport {
  readonly entries: AsyncIterable<FileRecord>;
  readonly input: InputFile;
  readonly report: ImportReport;
  readonly store: StoreBatch;
  /** The name in the report, if there are several files. */
  readonly file: string | undefined;
  readonly hashes: Pick<EntryOptions, 'isOwnHash' | 'prehash'>;
  /** Called with each entry that was read, for `--try`. */
  readonly onEntry?: ((entry: ImportEntry) => void) | undefined;
}

/** Stops after the current batch when the input is interrupted. `now` returns epoch milliseconds. */
export async function importFile(
  { entries, input, report, store, file, hashes, onEntry }: FileImport,
  now: () => number,
): Promise<void> {
  let batch: { readonly line: number; readonly entry: ImportEntry }[] = [];
  const flush = async () => {
    const outcomes = await store(batch.map(({ entry }) => entry));
    for (const [index, outcome] of outcomes.entries())
      report.add({ file, line: batch[index]!.line }, outcome);
    batch = [];
    input.showProgress(report.counts());
  };
  for await (const each of entries) {
    const read = readLine(each, { ...hashes, now: now(), note: report.note });
    if ('rejected' in read) report.add({ file, line: each.line }, read);
    else {
      onEntry?.(read);
      batch.push({ line: each.line, entry: read });
    }
    if (batch.length === BATCH_SIZE) await flush();
    if (input.isInterrupted()) return;
  }
  await flush();
}

function readLine(record: FileRecord, options: EntryOptions): ImportEntry | { readonly rejected: string } {
  if ('rejected' in record) return record;
  try {
    return readEntry(record.members, options);
  } catch (error) {
    if (error instanceof RejectedEntry) return { rejected: error.message };
    throw error;
  }
}
