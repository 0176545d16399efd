/**
 * Gives events their numbers, in the order in which they were committed. A writer only inserts a row: numbers that
 * were assigned by writers would become visible in another order than they count, and readers would miss events.
 */
import type { Database, Tx } from '../../../database/database.ts';
import { chainDigest, hashContent, hashPersonal } from '../chain/chain.ts';
import * as queries from './queries.ts';

/** Events per user, all of which the export contains. Older ones are removed; their hashes stay in the chain. */
export const MAX_EVENTS_PER_SUBJECT = 1_000;
/** Events per transaction: few enough that no request waits long for it. One of the sizes of statements with rows. */
export const BATCH_SIZE = 64;
/** Events beyond the maximum that one numbering removes in addition. */
const MAX_REMOVED = 20;

/**
 * Numbers the events that are committed and have no number yet, at most 64. Any node may call it at any time: the
 * chain is locked meanwhile. Returns their number.
 */
export async function numberEvents(database: Database): Promise<number> {
  if (!(await queries.hasUnnumbered(database))) return 0;
  return database.transaction(async (tx) => {
    const head = await queries.lockChain(tx);
    const rows = await queries.readUnnumbered(tx, BATCH_SIZE);
    if (rows.length === 0) return 0;
    const sequences = await queries.readSequences(tx, listSubjects(rows));
    const numbered = chainEvents(head, rows, sequences);
    await queries.writeNumbers(tx, numbered);
    await queries.writeSequences(tx, sequences);
    await queries.writeHead(tx, numbered.at(-1)!);
    await removeOldest(tx, numbered);
    return rows.length;
  });
}

/** Numbers all events that are committed, for commands and tests: a service may not run. */
export async function numberAllEvents(database: Database): Promise<void> {
  while ((await numberEvents(database)) > 0);
}

function listSubjects(rows: readonly queries.UnnumberedRow[]): string[] {
  return [...new Set(rows.flatMap(({ subject }) => (subject === null ? [] : [subject])))];
}

/** Returns the columns that the events get, and changes `sequences` to the last ones. */
function chainEvents(
  head: queries.ChainHead,
  rows: readonly queries.UnnumberedRow[],
  sequences: Map<string, number>,
): queries.NumberedEvent[] {
  let { number, digest } = head;
  return rows.map((row) => {
    const { id, subject } = row;
    const sequence = subject === null ? null : (sequences.get(subject) ?? 0) + 1;
    if (subject !== null) sequences.set(subject, sequence!);
    number += 1;
    const network_hash = hashPersonal(row.network);
    const device_hash = hashPersonal(row.device);
    const content_hash = hashContent({ ...row, sequence, network_hash, device_hash });
    digest = chainDigest(digest, number, content_hash);
    return { id, subject, number, sequence, content_hash, network_hash, device_hash, digest };
  });
}

/** Removes the oldest events of subjects that have more than the maximum. */
async function removeOldest(tx: Tx, numbered: readonly queries.NumberedEvent[]): Promise<void> {
  for (const [subject, events] of Map.groupBy(numbered, (event) => event.subject)) {
    const kept = (events.at(-1)!.sequence ?? 0) - MAX_EVENTS_PER_SUBJECT;
    if (subject === null || kept <= 0) continue;
    const oldest = await queries.readOldest(tx, subject, events.length + MAX_REMOVED);
    const removed = oldest.filter(({ sequence }) => sequence <= kept).map(({ id }) => id);
    await queries.removeContent(tx, removed);
  }
}
