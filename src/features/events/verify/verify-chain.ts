/** Verifies the hash chain of the events: finds events that were edited, removed, inserted or reordered. */
import type { Database } from '../../../database/database.ts';
import { computeChainDigest, hasCoveredActor, hashContent, hashPersonal } from '../chain/chain.ts';
import type { Mark } from '../chain/marks.ts';
import {
  type Chain,
  type ChainedRow,
  type MarkedChain,
  readChain,
  readEventsAfter,
  readMarkedChain,
} from '../queries.ts';
import { createTimeCheck } from './check-times.ts';
import type { ChainFinding, Report } from './findings.ts';
import { verifyEnds, verifyMark } from './verify-marks.ts';

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
  const { after, noted } = options;
  const chain = await readMarkedChain(database);
  if (chain === undefined) {
    report({ number: 0, last: 0, problem: 'chain' });
    return { count: 0, last: { number: 0, digest: '' } };
  }
  const start = await findStart(database, chain, after);
  if (start === null) return null;
  const rowCheck = createRowCheck(chain, options, report);
  let previous: Previous = start;
  let count = 0;
  reportNoted(noted, previous, report);
  for (;;) {
    const before = await readChain(database);
    const rows = await readEventsAfter(database, previous.number, BATCH_SIZE);
    for (const row of rows) {
      const expected = await skipMissing(database, { previous, number: row.number }, report);
      previous = rowCheck.verify(row, expected);
    }
    count += rows.length;
    if (rows.length < BATCH_SIZE && (await isEnd({ database, before, last: previous }, report))) break;
  }
  rowCheck.end();
  if (noted !== null && (noted.number < start.number || noted.number > previous.number))
    report({ number: noted.number, last: noted.number, problem: 'unknown' });
  return { count, last: { number: previous.number, digest: previous.digest } };
}

/** Verifies the marks of the ends, and creates the check of one event after the other. */
function createRowCheck(chain: MarkedChain, options: VerificationOptions, report: Report) {
  const accepted = { number: verifyEnds(chain, options, report), digest: chain.accepted_digest! };
  const times = createTimeCheck(report);
  return {
    end: () => times.end(),
    verify(row: ChainedRow, previous: Previous | null): Previous {
      const verified = verifyEvent(row, previous, report);
      // Without its digest, the mark is another one as well.
      if (verified.follows && row.number > accepted.number) verifyMark(row, options.mark, report);
      times.add(row);
      for (const position of [accepted, options.noted]) reportNoted(position, verified, report);
      return verified;
    },
  };
}

async function findStart(
  database: Database,
  { deleted_number, deleted_digest }: Chain,
  after: number | null,
): Promise<Previous | null> {
  if (after === null || after === deleted_number)
    return { number: deleted_number, digest: deleted_digest, computed: deleted_digest, follows: true };
  const [row] = await readEventsAfter(database, after - 1, 1);
  if (row?.number !== after) return null;
  return { number: after, digest: row.digest, computed: row.digest, follows: true };
}

function reportNoted(noted: ChainPosition | null, { number, digest }: ChainPosition, report: Report): void {
  if (noted?.number === number && noted.digest !== digest) report({ number, last: number, problem: 'noted' });
}

interface Gap {
  readonly previous: Previous;
  /** The number of the next event. */
  readonly number: number;
}

/** Reports missing events before the next one; returns the state to verify it with, null if there is none. */
async function skipMissing(
  database: Database,
  { previous, number }: Gap,
  report: Report,
): Promise<Previous | null> {
  if (number === previous.number + 1) return previous;
  const { deleted_number, deleted_digest } = await readChain(database);
  // Deleted because of their age since the verification has begun.
  if (number === deleted_number + 1)
    return { number: deleted_number, digest: deleted_digest, computed: deleted_digest, follows: true };
  report({ number: previous.number + 1, last: number - 1, problem: 'missing' });
  return null;
}

/** Reports the defects of the event. Without `previous`, its digest cannot be verified. */
function verifyEvent(row: ChainedRow, previous: Previous | null, report: Report): Previous {
  const { number, digest, content_hash } = row;
  const add = (problem: ChainFinding['problem']) => report({ number, last: number, problem });
  if (!hasContent(row)) add('content');
  if (!hasPersonalData(row)) add('personal_data');
  if (previous === null) return { number, digest, computed: digest, follows: true };
  const digests = [previous.digest, previous.computed].map((each) =>
    computeChainDigest(each, number, content_hash),
  );
  const follows = digests.includes(digest);
  if (!follows) add('digest');
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
