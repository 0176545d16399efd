/** Metadata of seeded users. */

/** A hundred users have the same customer, and every tenth the plan `pro`. */
export function createMetadata(number: number): string {
  const customer = `customer-${Math.floor(number / 100)}`;
  return JSON.stringify({ customer, plan: number % 10 === 0 ? 'pro' : 'free', seats: number % 7 });
}
