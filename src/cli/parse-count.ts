import { InvalidArgumentError } from 'commander';

/** Parses the number of an option. @throws InvalidArgumentError */
export function parseCount(given: string): number {
  if (!/^[1-9]\d{0,14}$/.test(given)) throw new InvalidArgumentError('It must be a positive number.');
  return Number(given);
}
