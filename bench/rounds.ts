/** Sides measured in turn, A B A B, so that what disturbs the machine disturbs both. */
import type { Outcome } from './load.ts';

export const ROUNDS = 5;
export const ROUND_MS = 3_000;
const WARM_UP_MS = 2_000;

/** Measures one side once, for so many milliseconds. */
export type Measure<O = Outcome> = (milliseconds: number) => Promise<O>;

/** Gives the outcomes of each side, round by round; each has warmed up before the first. */
export async function inTurn<O>(
  sides: readonly Measure<O>[],
  rounds: number = ROUNDS,
  milliseconds: number = ROUND_MS,
): Promise<O[][]> {
  for (const measure of sides) await measure(WARM_UP_MS);
  const outcomes: O[][] = sides.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [side, measure] of sides.entries()) outcomes[side]!.push(await measure(milliseconds));
  }
  return outcomes;
}

const PAIRS = 3;
const ROUNDS_OF_A_PAIR = 9;
const SHORT_ROUND_MS = 1_000;

/**
 * Gives the outcomes of both sides from several pairs of processes, one pair after the other: how a process
 * happens to be compiled moves all of its rounds by some percent. The rounds are short, so that what disturbs one
 * mostly disturbs its neighbour too. `open` starts both sides and says what ends them.
 */
export async function inPairs<O>(
  open: () => Promise<{ readonly sides: readonly Measure<O>[]; close(): Promise<void> }>,
): Promise<[O[], O[]]> {
  const outcomes: [O[], O[]] = [[], []];
  for (let pair = 0; pair < PAIRS; pair++) {
    const { sides, close } = await open();
    try {
      const [one, other] = await inTurn(sides, ROUNDS_OF_A_PAIR, SHORT_ROUND_MS);
      outcomes[0].push(...one!);
      outcomes[1].push(...other!);
    } finally {
      await close();
    }
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
