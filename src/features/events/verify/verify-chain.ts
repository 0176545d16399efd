/** Verifies the hash chain of the events: finds events that were edited, removed, inserted or reordered. */
import type { Database } from '../../../database/database.ts';
import { chainDigest, hashContent, hashPersonal } from '../chain/chain.ts';
import { type Chain, type ChainedRow, readChain, readEventsAfter } from '../queries.ts';

/** What is wrong with an event. */
export const FINDINGS = {
  content: 'its content was edited',
  personal_data: 'its address or its device was edited',
  missing: 'it was removed',
  digest: 'its digest does not follow from the event before it: it was edited, inserted or reordered',
  head: 'the end of the chain is another one than recorded: events were added or removed there',
  unknown: 'it is not among the verified events, so its digest cannot be compared',
  noted: 'its digest is not the one that was noted: the chain was computed anew',
} as const;

export interface ChainFinding {
  readonly number: number;
  /** The last number of several events that were removed. */
  readonly last: number;
  readonly problem: keyof typeof FINDINGS;
}

/** The number of an event, and its digest. */
export interface ChainPosition {
  readonly number: number;
  readonly digest: string;
}

export interface VerificationOptions {
  /** The number of the event after which the verification begins; null: with the first that is kept. */
  readonly after: number | null;
  /** A position that was noted earlier, such as one from the log. */
  readonly noted: ChainPosition | null;
}

export interface Verification {
  /** Events that were verified, those whose content was removed among them. */
  readonly count: number;
  readonly last: ChainPosition;
}

const BATCH_SIZE = 500;

/** The event before the next one: its digest as stored, and as computed from the one before it. */
interface Previous extends ChainPosition {
  readonly computed: string;
}

type Report = (finding: ChainFinding) => void;

/**
 * Reads the chain in batches, also while events are added and deleted, and calls `report` with each finding.
 * Returns null if the event after which it should begin does not exist.
 */
export async function verifyChain(
  database: Database,
  { after, noted }: VerificationOptions,
  report: Report,
): Promise<Verification | null> {
  const start = await findStart(database, after);
  if (start === null) return null;
  let previous: Previous = start;
  let count = 0;
  reportNoted(noted, previous, report);
  for (;;) {
    const before = await readChain(database);
    const rows = await readEventsAfter(database, previous.number, BATCH_SIZE);
    for (const row of rows) {
      const expected = await skipMissing(database, { previous, number: row.number }, report);
      previous = verifyEvent(row, expected, report);
      reportNoted(noted, previous, report);
    }
    count += rows.length;
    if (rows.length < BATCH_SIZE && (await isEnd({ database, before, last: previous }, report))) break;
  }
  if (noted !== null && (noted.number < start.number || noted.number > previous.number))
    report({ number: noted.number, last: noted.number, problem: 'unknown' });
  return { count, last: { number: previous.number, digest: previous.digest } };
}

async function findStart(database: Database, after: number | null): Promise<Previous | null> {
  const { deleted_number, deleted_digest } = await readChain(database);
  if (after === null || after === deleted_number)
    return { number: deleted_number, digest: deleted_digest, computed: deleted_digest };
  const [row] = await readEventsAfter(database, after - 1, 1);
  if (row?.number !== after) return null;
  return { number: after, digest: row.digest, computed: row.digest };
}

function reportNoted(noted: ChainPosition | null, { number, digest }: ChainPosition, report: Report): void {
  if (noted?.number === number && noted.digest !== digest) report({ number, last: number, problem: 'noted' });
}

interface Gap {
  readonly previous: Previous;
  /** The number of the next event. */
  readonly number: number;
}

/** Reports the events that are missing before the next one; returns what to verify that one with, null for nothing. */
async function skipMissing(
  database: Database,
  { previous, number }: Gap,
  report: Report,
): Promise<Previous | null> {
  if (number === previous.number + 1) return previous;
  const { deleted_number, deleted_digest } = await readChain(database);
  // Deleted because of their age since the verification has begun.
  if (number === deleted_number + 1)
    return { number: deleted_number, digest: deleted_digest, computed: deleted_digest };
  report({ number: previous.number + 1, last: number - 1, problem: 'missing' });
  return null;
}

/** Reports what is wrong with the event. Without `previous`, its digest cannot be verified. */
function verifyEvent(row: ChainedRow, previous: Previous | null, report: Report): Previous {
  const { number, digest, content_hash } = row;
  const add = (problem: ChainFinding['problem']) => report({ number, last: number, problem });
  if (!hasContent(row)) add('content');
  if (!hasPersonalData(row)) add('personal_data');
  if (previous === null) return { number, digest, computed: digest };
  const digests = [previous.digest, previous.computed].map((each) => chainDigest(each, number, content_hash));
  if (!digests.includes(digest)) add('digest');
  return { number, digest, computed: digests[1]! };
}

/** Whether the content is the original one, or was removed because the subject has newer events. */
function hasContent(row: ChainedRow): boolean {
  const { type, subject, actor, actor_id, outcome, reason, data, sequence } = row;
  if (type !== null) return hashContent(row) === row.content_hash;
  return [subject, actor, actor_id, outcome, reason, data, sequence].every((member) => member === null);
}

/** Whether personal data are the original ones, or deleted. */
function hasPersonalData({ network, device, network_hash, device_hash }: ChainedRow): boolean {
  return (
    (network === null || hashPersonal(network) === network_hash) &&
    (device === null || hashPersonal(device) === device_hash)
  );
}

interface End {
  readonly database: Database;
  /** As it was before the last batch was read. */
  readonly before: Chain;
  readonly last: ChainPosition;
}

/** Whether the last event was verified. Reports an end that is not the recorded one. */
async function isEnd({ database, before, last }: End, report: Report): Promise<boolean> {
  const { number, digest } = last;
  const head = await readChain(database);
  if (head.number === number) {
    if (head.digest !== digest) report({ number, last: number, problem: 'head' });
    return true;
  }
  // Events were added between the reads.
  if (head.number !== before.number) return false;
  if (head.number > number) report({ number: number + 1, last: head.number, problem: 'missing' });
  else report({ number, last: number, problem: 'head' });
  return true;
}
