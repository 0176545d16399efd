/** Reads the users of an export of another product as entries, and counts dropped members. */
import { RejectedEntry } from '../../../features/users/read-entry.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { CommandError, readTextFile } from '../../context.ts';
import { type InputContext, openInput, type RecordFile, readSourceFile } from './read-file.ts';
import type { FileRecord, RawRecord } from './read-records.ts';
import { parseHashConfig } from './sources/firebase.ts';
import { listDropped, type Source, type SourceContext, toMembers } from './sources/source.ts';

export type SourceReader = Awaited<ReturnType<typeof openSource>>;

/** @throws CommandError when the file of hashes or the parameters cannot be read */
export async function openSource(
  source: Source,
  { passwords, hashConfig, table }: Partial<Record<'passwords' | 'hashConfig' | 'table', string | undefined>>,
  context: InputContext,
) {
  const dropped = createDroppedMembers();
  const { hashes, emails } = await loadHashes(source, passwords, context);
  const shared = {
    takeHash(key: string) {
      const hash = hashes.get(key);
      hashes.delete(key);
      return hash;
    },
    hasHashFor: (email: string) => emails.has(normalizeEmail(email)),
    hashConfig: hashConfig === undefined ? null : parseHashConfig(readTextFile(hashConfig)),
  };
  return {
    /** `now` returns epoch milliseconds. @throws CommandError when the rest of the file cannot be read */
    async *read({ now, ...file }: RecordFile & { now: () => number }): AsyncGenerator<FileRecord> {
      for await (const each of readSourceFile(source, { ...file, table })) {
        if (!('members' in each)) yield each;
        else yield { line: each.line, ...toEntry(source, each.members, { ...shared, now: now(), dropped }) };
      }
    },
    /** Returns how many users have a member that was dropped, by its name. */
    countDropped: dropped.counts,
    /** Returns the number of hashes that belong to no user so far; null without a file of hashes. */
    countUnusedHashes: () => (passwords === undefined ? null : hashes.size),
  };
}

const MAX_NAMES = 100;

/** Counts members. Their names come from the file: number and form are bounded. */
function createDroppedMembers() {
  const counts = new Map<string, number>();
  return {
    add(names: readonly string[]) {
      for (const name of new Set(names)) {
        const isNamed = counts.has(name) || (counts.size < MAX_NAMES && /^[\w.$-]{1,64}$/.test(name));
        const key = isNamed ? name : '(others)';
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    },
    counts: () => Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Reads the whole file before the first user is stored, so that no user is stored without their hash. */
async function loadHashes(source: Source, file: string | undefined, context: InputContext) {
  const hashes = new Map<string, string>();
  const emails = new Set<string>();
  if (file === undefined || source.readHash === undefined) return { hashes, emails };
  const input = await openInput(file, context);
  try {
    for await (const each of readSourceFile({ list: null }, { file, input: input.stream })) {
      const record = 'members' in each ? source.readHash(each.members) : undefined;
      if (record === undefined)
        throw new CommandError(`${file}: record ${each.line} is not one of a password`);
      if (record === null) continue;
      if (hashes.has(record.key))
        throw new CommandError(`${file}: record ${each.line} is the second password of a user`);
      hashes.set(record.key, record.hash);
      if (record.email !== null) emails.add(normalizeEmail(record.email));
    }
  } finally {
    input.close();
  }
  return { hashes, emails };
}

function toEntry(
  source: Source,
  record: RawRecord,
  { dropped, ...context }: SourceContext & { readonly dropped: ReturnType<typeof createDroppedMembers> },
) {
  try {
    const entry = source.toEntry(record, context);
    dropped.add(listDropped(source, record, entry));
    return { members: toMembers(entry, context.now) };
  } catch (error) {
    if (error instanceof RejectedEntry) return { rejected: error.message };
    throw error;
  }
}
