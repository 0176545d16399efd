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

export function verifyMark({ number, digest, type, ...event }: ChainedRow, mark: Mark, report: Report): void {
  const isRemoved = type === null;
  if (!isSameMark(event.mark, mark(isRemoved ? 'removed' : 'numbered', number, digest)))
    report(isRemoved ? 'removed' : 'invented', number);
}
