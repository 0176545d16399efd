/** Measures several sides in turn, A B C A B C, so that a disturbance of the machine affects all of them. */
import { type Stage, withStage } from '../processes/stage.ts';

export interface Rounds {
  readonly rounds: number;
  readonly milliseconds: number;
  readonly warmUpMilliseconds: number;
}

/** Number and length of all measurements. */
export interface Pace {
  /**
   * Groups of processes, one after the other: how the JIT happens to compile a process moves all of its rounds by
   * some percent.
   */
  readonly groups: number;
  /** Short rounds, because a disturbance then affects neighbouring rounds alike. */
  readonly short: Rounds;
  readonly long: Rounds;
  /** Starts of each command. */
  readonly starts: number;
}

export const FULL_PACE: Pace = {
  groups: 3,
  // Until V8 has compiled the paths that are measured: a larger program needs more requests for that.
  short: { rounds: 9, milliseconds: 1_000, warmUpMilliseconds: 10_000 },
  long: { rounds: 5, milliseconds: 3_000, warmUpMilliseconds: 2_000 },
  starts: 7,
};

export const QUICK_PACE: Pace = {
  groups: 1,
  short: { rounds: 3, milliseconds: 1_000, warmUpMilliseconds: 1_000 },
  long: { rounds: 3, milliseconds: 1_000, warmUpMilliseconds: 1_000 },
  starts: 3,
};

/** Measures one side once, for so many milliseconds. */
export type Measure<O> = (milliseconds: number) => Promise<O>;

/** Returns the results of each side, round by round. Each side warms up before the first round. */
export async function measureInTurn<O>(
  sides: readonly Measure<O>[],
  { rounds, milliseconds, warmUpMilliseconds }: Rounds,
): Promise<O[][]> {
  for (const measure of sides) await measure(warmUpMilliseconds);
  const results: O[][] = sides.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [side, measure] of sides.entries()) results[side]!.push(await measure(milliseconds));
  }
  return results;
}

/** Returns the results of each side from several groups of processes. `open` starts one group on a new stage. */
export async function measureInGroups<O>(
  pace: Pace,
  open: (stage: Stage) => Promise<readonly Measure<O>[]>,
): Promise<O[][]> {
  const results: O[][] = [];
  for (let group = 0; group < pace.groups; group++) {
    const found = await withStage(async (stage) => measureInTurn(await open(stage), pace.short));
    for (const [side, more] of found.entries()) results[side] = [...(results[side] ?? []), ...more];
  }
  return results;
}
