/** Bodies of requests to the API: JSON, read strictly, whose headers are checked before the body is read. */
import { isUtf8 } from 'node:buffer';
import type { FastifyRequest, preValidationHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import { acceptBodies } from './accept-bodies.ts';
import { invalidPayload, type MemberLimits, measureJson } from './json-size.ts';

type JsonReviver = Parameters<typeof JSON.parse>[1];

interface JsonOptions extends MemberLimits {
  /** Passed to JSON.parse, with the source text of numbers, which the types of the language do not have yet. */
  readonly reviver?: (name: string, value: unknown, context: { readonly source?: string }) => unknown;
  /** Accepts members with names that could reach a prototype: the handler reads them by `Object.entries`. */
  readonly acceptsAnyName?: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig extends JsonOptions {
    /** Members that occur in every element of a list: they do not count towards the limit of members. */
    readonly repeatedMembers?: readonly string[];
    /** Members of a body besides the repeated ones; 1,000 if absent. */
    readonly maxMembers?: number;
  }
}

/** `application/json` or `application/<anything>+json`, and no charset but UTF-8 (RFC 8259 section 8.1). */
export const JSON_TYPE =
  /^application\/(?:json|[\w.!#$&^-]+\+json)[\t ]*(?:;[\t ]*(?:charset="?utf-8"?[\t ]*)?)?$/i;

/**
 * Parses bodies. Routes without a schema of the body ignore it. Errors: Problem payload_too_large,
 * unsupported_media_type, invalid_payload.
 */
export const jsonBodies = fp(async (app) => {
  acceptBodies(app, { accept: 'application/json', pattern: JSON_TYPE });
  app.removeAllContentTypeParsers();
  // Media types are checked in one place, before the body is read.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
  // Not in the parser: Fastify closes the connection after each error of a parser.
  app.addHook('preValidation', (request, _reply, done) => {
    try {
      request.body = parseBody(request);
      done();
    } catch (error) {
      done(error as Error);
    }
  });
});

function parseBody({ body, routeOptions: { schema, config } }: FastifyRequest): unknown {
  // Contexts with a parser of their own have the value already.
  if (!Buffer.isBuffer(body)) return body;
  return body.length === 0 || schema?.body === undefined ? undefined : parseJsonBody(body, config);
}

/** Hook of routes whose body may be absent: an absent one is an object without members. */
export const optionalBody: preValidationHookHandler = (request, _reply, done) => {
  if (request.body === undefined) request.body = {};
  done();
};

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Parses the bytes of an `application/json` body: UTF-8, with or without a byte order mark. The value may be any JSON
 * value, and strings may still contain lone surrogates and U+0000. @throws Problem invalid_payload for an empty body,
 * bytes that are not UTF-8 (RFC 8259 section 8.1), text that is not JSON, duplicate member names (RFC 7493 section
 * 2.3), nesting deeper than 32 levels, more members than `options` allow, more than 80,000 objects, arrays and texts,
 * and member names that could reach a prototype (OWASP ASVS 15.3.6) unless `options` accept them
 */
export function parseJsonBody(bytes: Buffer, options: JsonOptions = {}): unknown {
  // First, because it bounds the size and depth of the value that is then built and walked.
  const writtenMembers = measureJson(bytes, options);
  const value = decodeAndParse(bytes, options);
  // JSON.parse keeps the last of several members with one name: a value with fewer members had duplicates.
  if (isContainer(value) && countParsedMembers(value, options) !== writtenMembers)
    throw invalidPayload('A member name occurs twice in an object');
  return value;
}

function decodeAndParse(bytes: Buffer, { reviver }: JsonOptions): unknown {
  // Not a fatal TextDecoder, which takes five times as long for bodies of the usual size.
  if (!isUtf8(bytes)) throw invalidPayload('The body is not UTF-8');
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text, reviver as JsonReviver);
  } catch {
    // The caught error is dropped: its message quotes the body, and a password would get into the log.
    throw invalidPayload('The body is not JSON');
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

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function reachesPrototype(name: string, member: unknown): boolean {
  if (name === '__proto__') return true;
  return name === 'constructor' && isContainer(member) && Object.hasOwn(member, 'prototype');
}
