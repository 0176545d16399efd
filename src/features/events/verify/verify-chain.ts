/** Verifies the hash chain of the events: finds events that were edited, removed, inserted or reordered. */
import type { Database } from '../../../database/database.ts';
import { computeChainDigest, hasCoveredActor, hashContent, hashPersonal, type Mark } from '../chain/chain.ts';
import { type Chain, type ChainedRow, readChain, readEventsAfter, readMarkedChain } from '../queries.ts';
import { createMarkCheck, createTimeCheck, type Report, verifyEnds } from './findings.ts';

/** The number of an event, and its digest. */
export interface ChainPosition {
  readonly number: number;
  readonly digest: string;
}

interface VerificationOptions {
  /** The number of the event after which the verification begins; null: with the first that is kept. */
  readonly after: number | null;
  /** A position that was noted earlier, such as one from the log. */
  readonly noted: ChainPosition | null;
  /** Makes the marks that the service makes. */
  readonly mark: Mark;
  /** Epoch milliseconds before which events may have been deleted. */
  readonly before: number;
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
  /** Whether its digest follows from the event before it. */
  readonly follows: boolean;
}

/**
 * Reads the chain in batches, also while events are added and deleted, and calls `report` with each finding.
 * Returns null if the event after which it should begin does not exist.
 */
export async function verifyChain(
  database: Database,
  options: VerificationOptions,
  report: Report,
): Promise<Verification | null> {
  const { noted } = options;
  const chain = await readMarkedChain(database);
  if (chain === undefined) {
    report('chain', 0);
    return { count: 0, last: { number: 0, digest: '' } };
  }
  const start = await findStart(database, chain, options.after);
  if (start === null) return null;
  const accepted = { number: verifyEnds(chain, options, report), digest: chain.accepted_digest! };
  const times = createTimeCheck(report);
  const marks = createMarkCheck(options.mark, report);
  let previous = start;
  let count = 0;
  compare(noted, previous, report);
  for (;;) {
    const before = await readChain(database);
    const rows = await readEventsAfter(database, previous.number, BATCH_SIZE);
    for (const row of rows) {
      previous = verifyEvent(row, await skipMissing(database, { previous, row }, report), report);
      // Without its digest, the mark is another one as well.
      if (previous.follows && row.number > accepted.number) marks.add(row);
      times.add(row);
      for (const position of [accepted, noted]) compare(position, previous, report);
    }
    count += rows.length;
    if (rows.length < BATCH_SIZE && isEnd(await readChain(database), { before, last: previous }, report))
      break;
  }
  times.end();
  marks.end();
  if (noted !== null && (noted.number < start.number || noted.number > previous.number))
    report('unknown', noted.number);
  return { count, last: { number: previous.number, digest: previous.digest } };
}

/** Returns the state to verify the events after this one with. */
function startAfter(number: number, digest: string): Previous {
  return { number, digest, computed: digest, follows: true };
}

async function findStart(
  database: Database,
  { deleted_number, deleted_digest }: Chain,
  after: number | null,
): Promise<Previous | null> {
  if (after === null || after === deleted_number) return startAfter(deleted_number, deleted_digest);
  const [row] = await readEventsAfter(database, after - 1, 1);
  return row?.number === after ? startAfter(after, row.digest) : null;
}

function compare(noted: ChainPosition | null, { number, digest }: ChainPosition, report: Report): void {
  if (noted?.number === number && noted.digest !== digest) report('noted', number);
}

/** Reports missing events before the next one; returns the state to verify it with, null if there is none. */
async function skipMissing(
  database: Database,
  { previous, row: { number } }: { readonly previous: Previous; readonly row: ChainedRow },
  report: Report,
): Promise<Previous | null> {
  if (number === previous.number + 1) return previous;
  const { deleted_number, deleted_digest } = await readChain(database);
  // Deleted because of their age since the verification has begun.
  if (number === deleted_number + 1) return startAfter(deleted_number, deleted_digest);
  report('missing', previous.number + 1, number - 1);
  return null;
}

/** Reports the defects of the event. Without `previous`, its digest cannot be verified. */
function verifyEvent(row: ChainedRow, previous: Previous | null, report: Report): Previous {
  const { number, digest, content_hash } = row;
  if (!hasContent(row)) report('content', number);
  if (!hasPersonalData(row)) report('personal_data', number);
  if (previous === null) return startAfter(number, digest);
  const digests = [previous.digest, previous.computed].map((each) =>
    computeChainDigest(each, number, content_hash),
  );
  const follows = digests.includes(digest);
  if (!follows) report('digest', number);
  return { number, digest, computed: digests[1]!, follows };
}

/** Whether the content is the original one, or was removed as a whole. */
function hasContent(row: ChainedRow): boolean {
  const { type, subject, actor, actor_id, outcome, reason, data, sequence } = row;
  if (type !== null) return hashContent(row) === row.content_hash;
  return [subject, actor, actor_id, outcome, reason, data, sequence].every((member) => member === null);
}

/** Whether personal data are the original ones, or deleted. */
function hasPersonalData(row: ChainedRow): boolean {
  const { network, device, network_hash, device_hash } = row;
  return (
    hasCoveredActor(row) &&
    (network === null || hashPersonal(network) === network_hash) &&
    (device === null || hashPersonal(device) === device_hash)
  );
}

/** Whether the last event was verified: `before` is the head before the last read. Reports an end that differs. */
function isEnd(
  head: Chain,
  { before, last: { number, digest } }: { readonly before: Chain; readonly last: ChainPosition },
  report: Report,
): boolean {
  // Events were added between the reads.
  if (head.number !== number && head.number !== before.number) return false;
  if (head.number > number) report('missing', number + 1, head.number);
  else if (head.number < number || head.digest !== digest) report('head', number);
  return true;
}
