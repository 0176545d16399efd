/** The order in which transactions lock the jobs of several lanes, so that they do not deadlock. */
import type { Job } from '../queries.ts';

export const compareText = (a: string, b: string) => Number(a > b) - Number(a < b);

export function compareLanes(a: Pick<Job, 'lane'>, b: Pick<Job, 'lane'>): number {
  return compareText(a.lane ?? '', b.lane ?? '');
}

/** Returns jobs, at most one of each lane, in the order in which their rows are to be changed. */
export function sortByLane<Row extends Job>(jobs: readonly Row[]): Row[] {
  return jobs.toSorted((a, b) => compareLanes(a, b) || compareText(a.id, b.id));
}
