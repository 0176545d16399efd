/**
 * Gives events their numbers, in the order in which they were committed. A writer only inserts a row: numbers that
 * were assigned by writers would become visible in another order than they count, and readers would miss events.
 */
import type { Database, Tx } from '../../../database/database.ts';
import {
  computeChainDigest,
  hashContent,
  hashPersonal,
  isSameMark,
  listRecorded,
  makeMark,
} from '../chain/chain.ts';
import { removeRepeated } from '../retention/delete-events.ts';
import { deleteSubjects } from '../retention/queries.ts';
import * as queries from './queries.ts';

/**
 * Returns the number of events per transaction, one of the sizes of statements with rows: few enough that no request
 * waits long for it, and on a shared database, where requests go on meanwhile, enough to keep up with an import.
 */
export const getBatchSize = ({ isShared }: Database): number => (isShared ? 500 : 64);

interface Numbered {
  readonly count: number;
  /** Last id of the batch if there may be more events; otherwise null. */
  readonly next: string | null;
}

const NONE: Numbered = { count: 0, next: null };

/**
 * Numbers the events that are committed, or will be with their numbers (decision 0046), at most a batch, in the order of
 * their ids. Any node may call it at any time: the chain is locked meanwhile. `after`: the last id of the batch before, so
 * that PostgreSQL does not read the index entries of numbered events again for each batch. Events with lower ids that were
 * committed meanwhile wait for the next run.
 */
export async function numberEvents(database: Database, after = ''): Promise<Numbered> {
  if (!(await queries.hasUnnumbered(database, after))) return NONE;
  return database.transaction(async (tx) => {
    const head = (await queries.lockChain(tx))!;
    const rows = await queries.readUnnumbered(tx, after, getBatchSize(database));
    if (rows.length === 0) return NONE;
    const sequences = await queries.readSequences(tx, listSubjects(rows));
    const numbered = chainEvents(tx, head, { rows, sequences });
    await queries.writeNumbers(tx, numbered);
    await queries.writeSequences(tx, [...sequences]);
    // Nothing follows, and nothing but events keeps the id.
    const erased = rows.filter(({ type }) => type === 'user.erased').map(({ subject }) => subject);
    await deleteSubjects(tx, erased);
    await queries.writeHead(tx, numbered.at(-1)!);
    await removeRepeated(tx, numbered);
    const next = rows.length === getBatchSize(database) ? rows.at(-1)!.id : null;
    return { count: rows.length, next };
  });
}

/** Numbers all events that are committed, for commands and tests: a service may not run. */
export async function numberAllEvents(database: Database): Promise<void> {
  let after: string | null = '';
  while (after !== null) after = (await numberEvents(database, after)).next;
}

function listSubjects(rows: readonly queries.UnnumberedRow[]): string[] {
  return [...new Set(rows.flatMap(({ subject }) => (subject === null ? [] : [subject])))];
}

/** Returns the events with the columns that they get, and changes `sequences` to the last ones. */
function chainEvents(
  tx: Tx,
  head: queries.ChainHead,
  {
    rows,
    sequences,
  }: { readonly rows: readonly queries.UnnumberedRow[]; readonly sequences: Map<string, number> },
) {
  let { number, digest } = head;
  return rows.map((row) => {
    const { subject } = row;
    const sequence = subject === null ? null : (sequences.get(subject) ?? 0) + 1;
    if (subject !== null) sequences.set(subject, sequence!);
    number += 1;
    const network_hash = hashPersonal(row.network);
    const device_hash = hashPersonal(row.device);
    const content_hash = hashContent({ ...row, sequence, network_hash, device_hash });
    digest = computeChainDigest(digest, number, content_hash);
    // Only what the service has recorded gets a mark.
    const isRecorded = isSameMark(row.mark, makeMark(tx, 'recorded', ...listRecorded(row)));
    const mark = isRecorded ? makeMark(tx, 'numbered', number, digest) : null;
    return { ...row, number, sequence, content_hash, network_hash, device_hash, digest, mark };
  });
}
