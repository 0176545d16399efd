/** Results of the verification of the chain, and the checks of the times and marks of its events. */
import { MINUTE } from '../../../lib/time.ts';
import { isSameMark, type Mark } from '../chain/chain.ts';
import type { ChainedRow, MarkedChain } from '../queries.ts';

export const FINDINGS = {
  content: 'its content was edited',
  removed: 'its content was removed, and not by the service',
  invented: 'it was not recorded by the service: it was added, or the chain was computed anew',
  personal_data: 'its address or its device was edited',
  missing: 'it was removed',
  start: 'the events up to it were removed, and not by the service',
  young: 'the events up to it were removed before they were older than EVENTS_DAYS',
  time: 'its time is minutes before those of the events around it: it was added or edited',
  accepted: 'the mark of the events that need none was edited',
  digest: 'its digest does not follow from the event before it: it was edited, inserted or reordered',
  head: 'the end of the chain is another one than recorded: events were added or removed there',
  chain: 'the row of the table event_chain is missing: the ends of the chain are unknown',
  unknown: 'it is not among the verified events, so its digest cannot be compared',
  noted: 'its digest is not the one that was noted: the chain was computed anew',
} as const;

/** Defects that the service itself may have caused. */
export const WARNINGS = {
  clock: 'its time is before that of the event before it: the clock was set back',
  imported:
    'an import of an earlier release stored them without marks, and the upgrade added these: nothing proves that the service recorded them',
  unmarked: 'they have no marks: an earlier release, or one with another SECRET_KEY, has recorded them',
} as const;

/** Follows findings. */
export const ADVICE = 'What to do: /docs/events#after-a-finding';

export type ChainProblem = keyof typeof FINDINGS | keyof typeof WARNINGS;

/** Is called with each finding: the event, or the first and the last one of several. */
export type Report = (problem: ChainProblem, number: number, last?: number) => void;

/** Events get their numbers after their commit: one may be so much older than the one before it. */
const MAX_DELAY_MS = 2 * MINUTE;

/**
 * A time before that of the event before it is a finding if the next event goes on where the earlier ones were: it was
 * added or edited. If the next one follows it, the clock was set back.
 */
export function createTimeCheck(report: Report) {
  let latest = Number.NEGATIVE_INFINITY;
  /** The number of the last event, if its time is before that of the one before it. */
  let suspect: number | null = null;
  return {
    add({ number, created_at }: ChainedRow) {
      const isBack = created_at < latest - MAX_DELAY_MS;
      if (suspect !== null) report(isBack ? 'clock' : 'time', suspect);
      if (suspect !== null || !isBack) latest = created_at;
      suspect = suspect === null && isBack ? number : null;
    },
    end() {
      if (suspect !== null) report('clock', suspect);
    },
  };
}

/** Verifies the deleted start, and returns the number of the last event that needs no mark. */
export function verifyEnds(
  { deleted_number, deleted_digest, deleted_at, accepted_number, ...chain }: MarkedChain,
  { mark, before }: { readonly mark: Mark; readonly before: number },
  report: Report,
): number {
  const deleted = mark('deleted', deleted_number, deleted_digest, deleted_at);
  if (deleted_number > 0) {
    if (!isSameMark(chain.deleted_mark, deleted)) report('start', deleted_number);
    else if (deleted_at >= before) report('young', deleted_number);
  }
  if (accepted_number === 0) return 0;
  const accepted = mark('accepted', accepted_number, chain.accepted_digest);
  if (!isSameMark(chain.accepted_mark, accepted)) {
    report('accepted', accepted_number);
    return 0;
  }
  if (accepted_number > deleted_number) report('unmarked', deleted_number + 1, accepted_number);
  return accepted_number;
}

/** Verifies the mark of each event. Consecutive events of imports are one finding. */
export function createMarkCheck(mark: Mark, report: Report) {
  let [first, last] = [0, -1];
  const end = () => {
    if (first <= last) report('imported', first, last);
    last = -1;
  };
  const add = ({ number, digest, type, ...event }: ChainedRow) => {
    const hasMark = (purpose: Parameters<Mark>[0]) => isSameMark(event.mark, mark(purpose, number, digest));
    if (hasMark(type === null ? 'removed' : 'numbered')) return;
    if (type === null || !hasMark('imported')) return report(type === null ? 'removed' : 'invented', number);
    if (number !== last + 1) {
      end();
      first = number;
    }
    last = number;
  };
  return { add, end };
}
