/** Verifies what only a holder of SECRET_KEY can have marked. */
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
  const add = (problem: 'start' | 'young') =>
    report({ number: deleted_number, last: deleted_number, problem });
  if (deleted_number > 0) {
    if (!isSameMark(chain.deleted_mark, deleted)) add('start');
    else if (deleted_at >= before) add('young');
  }
  if (accepted_number === 0) return 0;
  const accepted = mark('accepted', accepted_number, chain.accepted_digest);
  if (!isSameMark(chain.accepted_mark, accepted)) {
    report({ number: accepted_number, last: accepted_number, problem: 'accepted' });
    return 0;
  }
  if (accepted_number > deleted_number)
    report({ number: deleted_number + 1, last: accepted_number, problem: 'unmarked' });
  return accepted_number;
}

export function verifyMark({ number, digest, type, ...event }: ChainedRow, mark: Mark, report: Report): void {
  const [purpose, problem] =
    type === null ? (['removed', 'removed'] as const) : (['numbered', 'invented'] as const);
  if (!isSameMark(event.mark, mark(purpose, number, digest))) report({ number, last: number, problem });
}
