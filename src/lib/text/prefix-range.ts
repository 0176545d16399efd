/** Ranges of texts that begin with a prefix, in the order of their bytes in UTF-8. */

/** No text of the service has so many characters. */
const LONGEST = '\u{10FFFF}'.repeat(1_024);

/** Returns the first text after all that begin with `prefix`, in the order of code points, as in UTF-8. */
export function endOfPrefix(prefix: string): string {
  const points = Array.from(prefix, (character) => character.codePointAt(0)!);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  return last === undefined ? LONGEST : String.fromCodePoint(...points, following(last));
}

/** Surrogates are no characters. */
function following(point: number): number {
  return point === 0xd7ff ? 0xe000 : point + 1;
}

/** Compares texts by their bytes in UTF-8, as both engines do. JavaScript compares by UTF-16. */
export function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
