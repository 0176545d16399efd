/**
 * Returns the two-sided probability that as many of the differences have one sign, when each sign is as likely. The size
 * of a difference has no weight: single outliers do not matter. Differences of zero are left out.
 */
export function signTest(differences: readonly number[]): number {
  const positive = differences.filter((difference) => difference > 0).length;
  const negative = differences.filter((difference) => difference < 0).length;
  const count = positive + negative;
  let tail = 0;
  for (let sides = 0, probability = 2 ** -count; sides <= Math.min(positive, negative); sides++) {
    tail += probability;
    probability *= (count - sides) / (sides + 1);
  }
  return Math.min(1, 2 * tail);
}
