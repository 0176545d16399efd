/** Sides measured in turn, A B A B, so that what disturbs the machine disturbs both. */
import type { Outcome } from './load.ts';

export const ROUNDS = 5;
export const ROUND_MS = 3_000;
const WARM_UP_MS = 2_000;

/** Measures one side once, for so many milliseconds. */
export type Measure<O = Outcome> = (milliseconds: number) => Promise<O>;

/** Gives the outcomes of each side, round by round; each has warmed up before the first. */
export async function inTurn<O>(sides: readonly Measure<O>[], rounds: number = ROUNDS): Promise<O[][]> {
  for (const measure of sides) await measure(WARM_UP_MS);
  const outcomes: O[][] = sides.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [side, measure] of sides.entries()) outcomes[side]!.push(await measure(ROUND_MS));
  }
  return outcomes;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** `one` over `other`, round by round. */
export function ratios(one: readonly number[], other: readonly number[]): number[] {
  return one.map((value, round) => value / other[round]!);
}

export const rates = (outcomes: readonly Outcome[]) => outcomes.map(({ perSecond }) => perSecond);
export const p50s = (outcomes: readonly Outcome[]) => outcomes.map(({ p50 }) => p50);
export const p99s = (outcomes: readonly Outcome[]) => outcomes.map(({ p99 }) => p99);
