/** Finds times that run against the order in which events were recorded. */
import { MINUTE } from '../../../lib/time/clock.ts';
import type { ChainedRow } from '../queries.ts';
import type { Report } from './findings.ts';

/** Events get their numbers after their commit: one may be so much older than the one before it. */
const MAX_DELAY_MS = 2 * MINUTE;

type Timed = Pick<ChainedRow, 'number' | 'created_at'>;

/**
 * A time before that of the event before it is a finding if the next event goes on where the earlier ones were: it was
 * added or edited. If the next one follows it, the clock was set back.
 */
export function createTimeCheck(report: Report): { add(event: Timed): void; end(): void } {
  let latest: Timed | null = null;
  let suspect: Timed | null = null;
  const add = ({ number }: Timed, problem: 'clock' | 'time') => report({ number, last: number, problem });
  return {
    add(event) {
      const { number, created_at } = event;
      const isBack = latest !== null && created_at < latest.created_at - MAX_DELAY_MS;
      if (suspect !== null) {
        add(suspect, isBack ? 'clock' : 'time');
        suspect = null;
        latest = event;
      } else if (isBack) suspect = { number, created_at };
      else latest = event;
    },
    end() {
      if (suspect !== null) add(suspect, 'clock');
    },
  };
}
