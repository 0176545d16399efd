/** Figures from the results of several rounds. */
import type { LoadResult } from './jobs.ts';

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** Divides round by round. */
export function ratios(dividends: readonly number[], divisors: readonly number[]): number[] {
  return dividends.map((value, round) => value / divisors[round]!);
}

export const rates = (results: readonly LoadResult[]) => results.map(({ perSecond }) => perSecond);
export const p50s = (results: readonly LoadResult[]) => results.map(({ p50 }) => p50);
export const p99s = (results: readonly LoadResult[]) => results.map(({ p99 }) => p99);
