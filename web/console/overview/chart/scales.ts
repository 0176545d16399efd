/** Positions in a chart, by d3-scale. */
import { scaleBand, scaleLinear } from 'd3-scale';
import type { DailyCount } from './daily-count.ts';

export const HEIGHT = 148;
const MARGIN = { top: 12, end: 12, bottom: 28, start: 36 };

export type Scales = ReturnType<typeof createScales>;

export function createScales(days: readonly DailyCount[], width: number) {
  const highest = Math.max(4, ...days.map(({ count }) => count));
  const left = MARGIN.start;
  const right = Math.max(left + 1, width - MARGIN.end);
  const bottom = HEIGHT - MARGIN.bottom;
  const x = scaleBand(
    days.map(({ date }) => date),
    [left, right],
  ).padding(0.25);
  const y = scaleLinear([0, highest], [bottom, MARGIN.top]).nice(4);
  // Values with a line of the grid.
  const ticks = y.ticks(4);
  return { width, x, y, ticks, left, right, bottom };
}

export function getMiddle({ x }: Scales, { date }: DailyCount): number {
  return x(date)! + x.bandwidth() / 2;
}

/** Returns the index of the day at this distance from the left edge. */
export function findDayAt({ x, left }: Scales, position: number): number {
  const index = Math.floor((position - left) / x.step());
  return Math.min(x.domain().length - 1, Math.max(0, index));
}
