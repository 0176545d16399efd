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

/** An integer has the same digits after it was written again; other numbers are as near as a double can be. */
function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  if (value === 0) return !/^-?[0-9.]*[1-9]/.test(source);
  return !/^-?\d+$/.test(source) || significantDigits(source) === significantDigits(value.toExponential());
}

/** `-1200` and `-1.2e+3` have the digits `12`. */
function significantDigits(text: string): string {
  return text.replace(/^-|\.|e.*$/g, '').replace(/0+$/, '');
}
