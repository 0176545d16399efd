/** Verifies marks, which only a holder of SECRET_KEY can make. */
import { isSameMark, type Mark } from '../chain/marks.ts';
import type { ChainedRow, MarkedChain } from '../queries.ts';
import type { Report } from './findings.ts';

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
