/** Imports the entries of one file in batches, counts the results by line, and reports lines that were not imported. */
import { createWriteStream, openSync, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import {
  checkBatch,
  type ImportDeps,
  type ImportOutcome,
  importBatch,
} from '../../../features/users/import-batch.ts';
import {
  type EntryOptions,
  type ImportEntry,
  type ImportNote,
  RejectedEntry,
  readEntry,
} from '../../../features/users/read-entry.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { type CommandContext, CommandError } from '../../context.ts';
import type { InputFile } from './read-file.ts';
import type { FileRecord } from './read-records.ts';
import type { SourceReader } from './read-source.ts';

/**
 * Few enough that an interruption loses little work, and that requests do not wait long for the lock. The more, the
 * fewer pages of indexes each writes again.
 */
const MAX_USERS = 2_000;
/** Each takes about 50 ms of a processor to hash. */
const MAX_PASSWORDS = 500;

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
  // Rejected lines wait, too: the report has the order of the file.
  let batch: { readonly line: number; readonly read: ReturnType<typeof readLine> }[] = [];
  let passwords = 0;
  const flush = async () => {
    const accepted = batch.flatMap(({ read }) => ('rejected' in read ? [] : [read]));
    const outcomes = (await store(accepted)).values();
    for (const { line, read } of batch)
      report.add({ file, line }, 'rejected' in read ? read : outcomes.next().value!);
    batch = [];
    passwords = 0;
    input.showProgress(report.counts());
  };
  for await (const each of entries) {
    const read = readLine(each, { ...hashes, now: now(), note: report.note });
    batch.push({ line: each.line, read });
    if (!('rejected' in read)) {
      onEntry?.(read);
      if (read.password !== null) passwords += 1;
    }
    if (batch.length === MAX_USERS || passwords === MAX_PASSWORDS) await flush();
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

type ImportCounts = Readonly<Record<'imported' | 'existing' | 'rejected', number>>;
type ImportReport = ReturnType<typeof openReport>;

/**
 * Opens a report as NDJSON in a file, or on standard output for `-`; without one, rejected lines are reported by
 * `printError`. It contains line numbers and no values: in a file whose columns are mixed up, any of them may be a
 * password.
 * @throws CommandError
 */
export function openReport(
  path: string | undefined,
  { print, printError }: Pick<CommandContext, 'print' | 'printError'>,
) {
  const counts = { imported: 0, existing: 0, rejected: 0 };
  const notes: Partial<Record<ImportNote, number>> = {};
  const stream = path === undefined || path === '-' ? null : openStream(path);
  const write = path === '-' ? print : stream && ((line: string) => stream.write(`${line}\n`));
  const finishedWriting = stream === null ? Promise.resolve() : finished(stream);
  // Reported by close(); an import is not stopped for its report.
  finishedWriting.catch(() => {});
  return {
    /** `file` is given when there are several. */
    add({ file, line }: { file?: string | undefined; line: number }, outcome: ImportOutcome) {
      const status = typeof outcome === 'string' ? outcome : 'rejected';
      counts[status]++;
      if (status === 'imported') return;
      const reason = typeof outcome === 'string' ? EXISTING : outcome.rejected;
      if (write !== null) write(JSON.stringify({ file, line, status, reason }));
      else if (status === 'rejected')
        printError(`${file === undefined ? '' : `${file}: `}line ${line}: ${reason}`);
    },
    note(note: ImportNote) {
      notes[note] = (notes[note] ?? 0) + 1;
    },
    counts: (): ImportCounts => counts,
    notes: () => notes,
    async close() {
      stream?.end();
      await finishedWriting;
    },
  };
}

/** Nothing else tells an account that was there from that of an earlier line. */
const EXISTING = 'The email has an account, or is in an earlier line.';

function openStream(file: string): WriteStream {
  try {
    return createWriteStream(file, { fd: openSync(file, 'w', 0o600) });
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** What is said of users who have something of their own in the file, whether they were imported or skipped. */
const NOTES: Readonly<Record<ImportNote, string>> = {
  no_password: 'without a password, because the file marks them so',
  locked: 'disabled, because a ! is before the hash',
  weak_hash: 'whose hash resists no attacker until their first login',
  no_creation_time: 'without their time of creation, which is no time',
};

interface ImportResult {
  readonly counts: ImportCounts;
  readonly notes: Partial<Readonly<Record<ImportNote, number>>>;
  readonly source: SourceReader | null;
  readonly isInterrupted: boolean;
}

export function toJson({ counts, notes, source, isInterrupted }: ImportResult, isDryRun: boolean) {
  return {
    ...counts,
    ...(Object.keys(notes).length === 0 ? {} : { notes }),
    ...(source === null
      ? {}
      : { dropped: source.countDropped(), unused_passwords: source.countUnusedHashes() }),
    ...(isDryRun ? { dry_run: true } : {}),
    interrupted: isInterrupted,
  };
}

export function toLines({ counts, notes, source, isInterrupted }: ImportResult, isDryRun: boolean): string[] {
  const { imported, existing, rejected } = counts;
  const verb = isDryRun ? 'Would import' : 'Imported';
  const lines = [`${verb} ${imported}, skipped ${existing} with an account, rejected ${rejected}.`];
  for (const [note, users] of Object.entries(notes))
    lines.push(`Users ${NOTES[note as ImportNote]}: ${users}.`);
  const dropped = Object.entries(source?.countDropped() ?? {}).map(([name, users]) => `${name} (${users})`);
  if (dropped.length > 0) lines.push(`Not imported, with the number of users: ${dropped.join(', ')}.`);
  const unused = source?.countUnusedHashes() ?? 0;
  if (unused > 0) lines.push(`Passwords of users who are not in the export: ${unused}.`);
  if (isInterrupted) lines.push('Interrupted: import the same file again to complete it.');
  return lines;
}
