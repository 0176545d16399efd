/** Rule, default and format of settings of common kinds that can change at run time. */
import { choice, integer, orOff } from './rules.ts';
import { format } from './value-format.ts';

export const inDays = <const F extends string>(fallback: F) => {
  const range = { min: 1, max: 3_650 };
  const days = format('integer', { minimum: range.min, maximum: range.max, unit: 'days' });
  return { rule: integer(range), fallback, format: days };
};

export const inRecords = (fallback: string) => {
  const range = { min: 1, max: 1_000_000_000 };
  const bounds = { minimum: range.min, maximum: range.max, unit: 'records', can_be_off: true } as const;
  return { rule: orOff(integer(range)), fallback, format: format('integer', bounds) };
};

export const oneOf = <const T extends string>(choices: readonly T[], fallback: T) => ({
  rule: choice(choices),
  fallback,
  format: format('choice', { choices }),
});

/** The first text is that for on. */
export const onOrOff = <const T extends string>(choices: readonly [T, T], fallback: T) => ({
  ...oneOf(choices, fallback),
  format: format('switch', { choices }),
});
