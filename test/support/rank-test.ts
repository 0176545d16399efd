/** Whether two samples come from one distribution: the rank test of Mann and Whitney, which no outlier moves. */

/**
 * Gives the two-sided probability that samples of one distribution differ as much as these do (normal
 * approximation, with the correction for ties): near 0 when one of them tends to be larger. Needs some twenty
 * values in each.
 */
export function rankTest(one: readonly number[], other: readonly number[]): number {
  const ranked = ranksOf([...one, ...other]);
  const rankSum = ranked.ranks.slice(0, one.length).reduce((sum, rank) => sum + rank, 0);
  const [n, m] = [one.length, other.length];
  const total = n + m;
  const expected = (n * (total + 1)) / 2;
  const variance = ((n * m) / 12) * (total + 1 - ranked.ties / (total * (total - 1)));
  if (variance === 0) return 1;
  return 2 * upperTail(Math.abs(rankSum - expected) / Math.sqrt(variance));
}

/** Ranks from 1, equal values sharing the mean of theirs; `ties` is the sum of t³ − t over groups of equals. */
function ranksOf(values: readonly number[]): { ranks: number[]; ties: number } {
  const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!);
  const ranks = Array<number>(values.length);
  let ties = 0;
  for (let first = 0; first < order.length; ) {
    let end = first;
    while (end < order.length && values[order[end]!] === values[order[first]!]) end++;
    for (const index of order.slice(first, end)) ranks[index] = (first + 1 + end) / 2;
    ties += (end - first) ** 3 - (end - first);
    first = end;
  }
  return { ranks, ties };
}

/** P(Z > z) of the standard normal distribution, z ≥ 0 (Abramowitz and Stegun 7.1.26; error below 1e-7). */
function upperTail(z: number): number {
  const x = z / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const series =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return (series * Math.exp(-x * x)) / 2;
}
