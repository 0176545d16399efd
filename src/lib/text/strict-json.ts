/** JSON as bodies of requests and lines of imports have it: without what parsers read differently. */
import { isUtf8 } from 'node:buffer';
import type { Problem } from '../../problems/problem.ts';
import { invalidPayload, type MemberLimits, measureJson } from './json-size.ts';

type JsonReviver = Parameters<typeof JSON.parse>[1];

export interface JsonOptions extends MemberLimits {
  /** Passed to JSON.parse, with the source text of numbers, which the types of the language do not have yet. */
  readonly reviver?: (name: string, value: unknown, context: { readonly source?: string }) => unknown;
  /** Accepts members with names that could reach a prototype: the handler reads them by `Object.entries`. */
  readonly acceptsAnyName?: boolean;
}

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Parses the bytes of a JSON text: UTF-8, with or without a byte order mark. The value may be any JSON
 * value, and strings may still contain lone surrogates and U+0000. @throws Problem invalid_payload for an empty text,
 * bytes that are not UTF-8 (RFC 8259 section 8.1), text that is not JSON, duplicate member names (RFC 7493 section
 * 2.3), nesting deeper than 32 levels, more members than `options` allow, more than 80,000 objects, arrays and texts,
 * and member names that could reach a prototype (OWASP ASVS 15.3.6) unless `options` accept them
 */
export function parseStrictJson(bytes: Buffer, options: JsonOptions = {}): unknown {
  // First, because it bounds the size and depth of the value that is then built and walked.
  const writtenMembers = measureJson(bytes, options);
  const value = decodeAndParse(bytes, options);
  // JSON.parse keeps the last of several members with one name: a value with fewer members had duplicates.
  if (isContainer(value) && countParsedMembers(value, options) !== writtenMembers)
    throw invalidPayload('A member name occurs twice in an object');
  return value;
}

/** Parses a text of an import by the same rules, with any number of members. Returns the value, or why there is none. */
export function parseStrictText(text: string): { readonly value: unknown } | { readonly reason: string } {
  try {
    return { value: parseStrictJson(Buffer.from(text), { maxMembers: text.length }) };
  } catch (error) {
    return { reason: `${(error as Problem).cause}.` };
  }
}

function decodeAndParse(bytes: Buffer, { reviver }: JsonOptions): unknown {
  // Not a fatal TextDecoder, which takes five times as long for bodies of the usual size.
  if (!isUtf8(bytes)) throw invalidPayload('The text is not UTF-8');
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text, reviver as JsonReviver);
  } catch {
    // The caught error is dropped: its message quotes the text, and a password would get into the log.
    throw invalidPayload('The text is not JSON');
  }
}

/** Counts the members of all objects inside `value`, whose depth is already bounded. */
function countParsedMembers(value: object, options: JsonOptions): number {
  let members = 0;
  if (Array.isArray(value)) {
    for (const element of value) if (isContainer(element)) members += countParsedMembers(element, options);
    return members;
  }
  const object = value as Record<string, unknown>;
  // for-in takes half the time of Object.keys; an inherited member would only make the counts differ.
  for (const name in object) {
    const member = object[name];
    if (!options.acceptsAnyName && reachesPrototype(name, member))
      throw invalidPayload(`A member is named ${name}`);
    members += isContainer(member) ? 1 + countParsedMembers(member, options) : 1;
  }
  return members;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

function reachesPrototype(name: string, member: unknown): boolean {
  if (name === '__proto__') return true;
  return name === 'constructor' && isContainer(member) && Object.hasOwn(member, 'prototype');
}
