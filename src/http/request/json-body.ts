/** Strict reading of JSON: a gateway in front and this service must never read two values from the same bytes. */
import { Problem } from '../../problems.ts';

const MAX_DEPTH = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Takes the raw bytes of an `application/json` body (UTF-8, one leading byte order mark is ignored) and gives
 * the parsed value, which may be any JSON value and still holds lone surrogates and U+0000 inside strings.
 *
 * Throws the problem `invalid_payload` for an empty body, for bytes that are not UTF-8 (RFC 8259 section 8.1),
 * text that is not JSON, a member name given twice in an object (RFC 7493 section 2.3), nesting deeper than
 * 32 levels, and names that reach for prototypes (OWASP ASVS 15.3.6).
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  // First, because it bounds the depth of what is then built and walked.
  const writtenMembers = countWrittenMembers(bytes);
  const value = decodeAndParse(bytes);
  // Of members that share a name JSON.parse keeps the last one: a value with fewer members had duplicates.
  if (countParsedMembers(value) !== writtenMembers)
    throw errorResponse('A member name occurs twice in an object');
  return value;
}

/** The reason is a string and no Error: it is for the log, and a second stack trace doubles the cost of refusing. */
function errorResponse(reason: string): Problem {
  return new Problem('invalid_payload', { cause: reason });
}

function decodeAndParse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    // The caught error is dropped: its message quotes the body, and a password would end in the log.
    throw errorResponse('The body is not JSON in UTF-8');
  }
}

/** Counts the colons outside strings, which in valid JSON are the members; other text is refused later. */
function countWrittenMembers(bytes: Uint8Array): number {
  const { length } = bytes; // read once: in the conditions of the loops it doubles their time
  let members = 0;
  let depth = 0;
  for (let at = 0; at < length; at++) {
    switch (bytes[at]) {
      case 0x22: // "
        for (at++; at < length; at++) {
          const byte = bytes[at];
          if (byte === 0x22) break;
          if (byte === 0x5c) at++;
        }
        break;
      case 0x3a: // :
        members++;
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > MAX_DEPTH) throw errorResponse(`The body is nested deeper than ${MAX_DEPTH} levels`);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
    }
  }
  return members;
}

/** Counts the members of all objects inside `value`, whose depth is already bounded. */
function countParsedMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const element of value) members += countParsedMembers(element);
    return members;
  }
  const object = value as Record<string, unknown>;
  // for-in takes half the time of Object.keys; what it might inherit would only make the counts differ.
  for (const name in object) {
    const member = object[name];
    if (isPoisonous(name, member)) throw errorResponse(`A member is named ${name}`);
    members += 1 + countParsedMembers(member);
  }
  return members;
}

function isPoisonous(name: string, member: unknown): boolean {
  if (name === '__proto__') return true;
  return (
    name === 'constructor' &&
    typeof member === 'object' &&
    member !== null &&
    Object.hasOwn(member, 'prototype')
  );
}
