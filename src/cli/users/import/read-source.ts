/** Reads the users of an export of another product as entries, and counts what is dropped. */
import { readFileSync } from 'node:fs';
import { createTemporaryMap } from '../../../database/sqlite/temporary-map.ts';
import { RejectedEntry } from '../../../features/users/import-users/read-entry.ts';
import { normalizeEmail } from '../../../lib/text/email-address.ts';
import { CommandError } from '../../output.ts';
import { createDroppedMembers, type DroppedMembers } from './dropped-members.ts';
import type { InputContext } from './input-file.ts';
import { loadHashes } from './password-file.ts';
import type { FileRecord, RawRecord } from './read-records.ts';
import { type RecordFile, readSourceFile } from './source-file.ts';
import { parseHashConfig } from './sources/firebase.ts';
import { listDropped, type Source, type SourceContext, toMembers } from './sources/source.ts';

export interface SourceOptions {
  /** The file with the hashes, if they are not in that of the users. */
  readonly passwords: string | undefined;
  readonly hashConfig: string | undefined;
  readonly table: string | undefined;
}

export interface SourceFile extends Omit<RecordFile, 'table'> {
  readonly now: () => number;
}

export interface SourceReader {
  /** @throws CommandError when the rest of the file cannot be read */
  read(file: SourceFile): AsyncIterable<FileRecord>;
  /** Returns how many users have a member that was dropped, by its name. */
  countDropped(): Readonly<Record<string, number>>;
  /** Returns the number of hashes that belong to no user so far; null without a file of hashes. */
  countUnusedHashes(): number | null;
  close(): void;
}

/** @throws CommandError when the file of hashes or the parameters cannot be read */
export async function openSource(
  source: Source,
  options: SourceOptions,
  context: InputContext,
): Promise<SourceReader> {
  const hashConfig =
    options.hashConfig === undefined ? null : parseHashConfig(readConfig(options.hashConfig));
  const [hashes, emails] = [createTemporaryMap(), createTemporaryMap()];
  const dropped = createDroppedMembers();
  const close = () => {
    hashes.close();
    emails.close();
  };
  try {
    if (options.passwords !== undefined)
      await loadHashes(source, options.passwords, { hashes, emails, context });
  } catch (error) {
    close();
    throw error;
  }
  const shared = {
    takeHash: hashes.take,
    hasHashFor: (email: string) => emails.get(normalizeEmail(email)) !== undefined,
    hashConfig,
  };
  return {
    async *read({ now, ...file }) {
      for await (const each of readSourceFile(source, { ...file, table: options.table })) {
        const record = 'members' in each ? each.members : null;
        if (record === null) yield each;
        else yield { line: each.line, ...toEntry(source, record, { ...shared, now: now(), dropped }) };
      }
    },
    countDropped: dropped.counts,
    countUnusedHashes: () => (options.passwords === undefined ? null : hashes.size()),
    close,
  };
}

interface EntryContext extends SourceContext {
  readonly dropped: DroppedMembers;
}

function toEntry(source: Source, record: RawRecord, { dropped, ...context }: EntryContext) {
  try {
    const entry = source.toEntry(record, context);
    dropped.add(listDropped(source, record, entry));
    return { members: toMembers(entry, context.now) };
  } catch (error) {
    if (error instanceof RejectedEntry) return { rejected: error.message };
    throw error;
  }
}

function readConfig(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}
