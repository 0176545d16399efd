/**
 * Signed-rank test (Wilcoxon) of paired measurements. Only ranks count, so single outliers have little weight.
 * The distribution is computed exactly instead of approximated, because the far tail is what the caller uses.
 */

/**
 * Returns the two-sided probability that differences are at least as one-sided as these when every sign is as
 * likely as its opposite. Differences of zero count half for each side.
 */
export function signedRankTest(differences: readonly number[]): number {
  const ranks = doubledRanks(differences.map(Math.abs));
  const total = ranks.reduce((sum, rank) => sum + rank, 0);
  const positive = differences.reduce((sum, difference, index) => {
    const share = difference === 0 ? 0.5 : Number(difference > 0);
    return sum + share * ranks[index]!;
  }, 0);
  const smallerSide = Math.floor(Math.min(positive, total - positive));
  const tail = rankSumDistribution(ranks, total)
    .slice(0, smallerSide + 1)
    .reduce((sum, probability) => sum + probability, 0);
  return Math.min(1, 2 * tail);
}

/** Returns ranks from 1 times two, which makes the mean ranks of equal values integers. */
function doubledRanks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!);
  const ranks = Array<number>(values.length);
  for (let first = 0; first < order.length; ) {
    let end = first;
    while (end < order.length && values[order[end]!] === values[order[first]!]) end++;
    for (const index of order.slice(first, end)) ranks[index] = first + 1 + end;
    first = end;
  }
  return ranks;
}

/** Returns the probability of each sum when every rank is included with probability ½. */
function rankSumDistribution(ranks: readonly number[], total: number): Float64Array {
  const distribution = new Float64Array(total + 1);
  distribution[0] = 1;
  for (const rank of ranks) {
    for (let sum = total; sum >= 0; sum--) {
      distribution[sum] = (distribution[sum]! + (distribution[sum - rank] ?? 0)) / 2;
    }
  }
  return distribution;
}
