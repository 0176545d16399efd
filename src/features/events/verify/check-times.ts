/** Finds times that run against the order in which events were recorded. */
import { MINUTE } from '../../../lib/time.ts';
import type { ChainedRow } from '../queries.ts';
import type { Report } from './findings.ts';

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
