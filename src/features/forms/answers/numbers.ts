/** Numbers of JSON texts that JavaScript cannot represent: they must not be stored as others. */

/** Stands in a parsed body for a number whose value JSON.parse has changed. */
export class InexactNumber {}

/** A reviver of JSON.parse that marks inexact numbers. */
export function markInexactNumbers(
  _name: string,
  value: unknown,
  { source = '' }: { readonly source?: string },
): unknown {
  return typeof value === 'number' && !isExact(value, source) ? new InexactNumber() : value;
}

/** Integers beyond 2^53 must have the same digits when they are written again; others are as near as a double can be. */
function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  if (value === 0) return !/^-?[0-9.]*[1-9]/.test(source);
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER || toDigits(source) === toDigits(value.toExponential());
}

/** `-1200`, `-1.2e+3` and `-0.12e4` have the digits `12`. */
function toDigits(text: string): string {
  return text
    .replace(/e.*$/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '');
}
