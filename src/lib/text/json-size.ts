/** Bounds of a JSON text, checked before it is parsed: its bytes do not tell what parsing and walking it costs. */
import { Problem } from '../../problems/problem.ts';

const MAX_DEPTH = 32;
/** Each distinct name costs JSON.parse, and all that walks the value, some 0.5 µs. */
const MAX_MEMBERS = 1_000;
/** Names of members are not compared in shorter texts, which are most. */
const MIN_MEMBER_BYTES = '"":0'.length;
/** Objects, arrays and texts, each up to 0.25 µs of JSON.parse: 1 MiB of valid form fields has 65,538. */
const MAX_PARTS = 80_000;

const PARTS = 'objects, arrays and texts';

/** Limits of members, which a route states for its body. */
export interface MemberLimits {
  /** Names of members that do not count. */
  readonly repeatedMembers?: readonly string[];
  readonly maxMembers?: number;
}

/** The reason is for the log; as a string, because a second stack trace doubles the cost of a rejection. */
export const invalidPayload = (reason: string): Problem => new Problem('invalid_payload', { cause: reason });

/**
 * Returns the number of members, which are the colons outside strings: in valid JSON, and other text is rejected
 * later. Members with one of the names `repeatedMembers`, spelled without escapes, do not count towards the limit.
 * @throws Problem invalid_payload for a text beyond a limit
 */
export function measureJson(
  bytes: Uint8Array,
  { repeatedMembers = [], maxMembers = MAX_MEMBERS }: MemberLimits,
): number {
  const { length } = bytes; // read once: in the conditions of the loops it doubles their time
  const isCounted =
    length > maxMembers * MIN_MEMBER_BYTES ? createMatcher(repeatedMembers, bytes) : isNeverCounted;
  let members = 0;
  let counted = 0;
  let parts = 0;
  let depth = 0;
  let textStart = 0;
  for (let at = 0, textEnd = 0; at < length; at++) {
    switch (bytes[at]) {
      case 0x22: // "
        textStart = at + 1;
        textEnd = at = endOfString(bytes, textStart, length);
        if (++parts > MAX_PARTS) tooMany(MAX_PARTS, PARTS);
        break;
      case 0x3a: // :
        members++;
        parts--; // the text before was a name
        if (isCounted(textStart, textEnd) && ++counted > maxMembers) tooMany(maxMembers, 'members');
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++parts > MAX_PARTS) tooMany(MAX_PARTS, PARTS);
        if (++depth > MAX_DEPTH) throw invalidPayload(`The text is nested deeper than ${MAX_DEPTH} levels`);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
    }
  }
  return members;
}

const isNeverCounted = () => false;

/** Returns the index of the closing quote. */
function endOfString(bytes: Uint8Array, start: number, length: number): number {
  let at = start;
  for (; at < length; at++) {
    const byte = bytes[at];
    if (byte === 0x22) break;
    if (byte === 0x5c) at++;
  }
  return at;
}

/** Returns the function that tells whether a part of the bytes spells none of the names, which are ASCII. */
function createMatcher(names: readonly string[], bytes: Uint8Array) {
  return (start: number, end: number): boolean => {
    const length = end - start;
    for (const name of names) {
      if (name.length !== length) continue;
      let at = 0;
      while (at < length && bytes[start + at] === name.charCodeAt(at)) at++;
      if (at === length) return false;
    }
    return true;
  };
}

function tooMany(limit: number, things: string): never {
  throw invalidPayload(`The text has more than ${limit} ${things}`);
}
