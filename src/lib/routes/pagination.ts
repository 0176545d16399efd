/** Keyset pagination by `limit` and an opaque, signed `cursor`, which belongs to one list with its filters. */
import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { Problem } from '../../problems/problem.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
/** 96 bits. Base64url of 12 bytes has no padding, so that the encoded position can follow. */
const SIGNATURE_LENGTH = 16;

/** A page of records, and the position after which the next one begins: null if there is none. */
export interface Page<Row, Position> {
  readonly rows: readonly Row[];
  readonly next: Position | null;
}

/** Returns the page of rows that were read with one more than `limit`, which tells whether there is a next page. */
export function toPage<Row, Position>(
  found: readonly Row[],
  limit: number,
  getPosition: (row: Row) => Position,
): Page<Row, Position> {
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? getPosition(rows.at(-1)!) : null };
}

/** `after`: the position after which the page begins; null for the first one. */
export interface PageStart<Position> {
  readonly after: Position | null;
  readonly limit: number;
}

export interface PageRequest<Row, Position> {
  /** With the filters, which the links repeat. */
  readonly query: { readonly limit?: number | undefined; readonly cursor?: string | undefined } & Readonly<
    Record<string, unknown>
  >;
  readonly path: string;
  /** Names the list and its filters: a cursor of one list is invalid in another. */
  readonly scope: string;
  readonly read: (start: PageStart<Position>) => Promise<Page<Row, Position>>;
}

export type Pagination = ReturnType<typeof createPagination>;

/** Creates the pagination of all lists. `publicUrl` precedes the paths of links. */
export function createPagination(key: Uint8Array, publicUrl: string) {
  const cursors = createCursors(key);
  return {
    ...cursors,
    /** Reads a page, and sets the Link header (RFC 8288) if there is more than one. @throws Problem invalid_cursor */
    async readPage<Row, Position>(reply: FastifyReply, request: PageRequest<Row, Position>) {
      const { query, path, scope, read } = request;
      const { limit: given, cursor, ...parameters } = query;
      const limit = toLimit(given);
      const after = cursor === undefined ? null : cursors.parse<Position>(cursor, scope);
      const { rows, next } = await read({ after, limit });
      const next_cursor = next === null ? null : cursors.format(next, scope);
      const links: string[] = [];
      // Not URLSearchParams, which takes longer than reading the page. Cursors are base64url and need no encoding.
      const filters = Object.entries(parameters).map(
        ([name, value]) => `${name}=${encodeURIComponent(String(value))}&`,
      );
      const first = `<${publicUrl}${path}?${filters.join('')}limit=${limit}`;
      if (next_cursor !== null) links.push(`${first}&cursor=${next_cursor}>; rel="next"`);
      if (next_cursor !== null || after !== null) links.push(`${first}>; rel="first"`);
      if (links.length > 0) reply.header('link', links.join(', '));
      return { rows, next_cursor };
    },
  };
}

/** Absent and 0 mean the default, more than the maximum means the maximum (Google AIP-158). */
export const toLimit = (given = 0): number => Math.min(given, MAX_LIMIT) || DEFAULT_LIMIT;

function createCursors(key: Uint8Array) {
  const prefix = Buffer.from(key).toString('hex');
  // SHA-512/256 cannot be extended, so that a key in front makes it a MAC. An HMAC takes three times as long.
  const sign = (scope: string, position: string) =>
    hash('sha512-256', `${prefix}1:${scope}:${position}`, 'base64url').slice(0, SIGNATURE_LENGTH);
  const format = (scope: string, position: string) =>
    sign(scope, position) + Buffer.from(position).toString('base64url');
  return {
    /** Returns the position of a cursor. @throws Problem invalid_cursor */
    parse<Position>(given: string, scope: string): Position {
      const position = Buffer.from(given.slice(SIGNATURE_LENGTH), 'base64url').toString();
      const [presented, expected] = [Buffer.from(given), Buffer.from(format(scope, position))];
      const isOurs = presented.length === expected.length && timingSafeEqual(presented, expected);
      if (!isOurs) throw new Problem('invalid_cursor');
      return JSON.parse(position);
    },
    format: (position: unknown, scope: string) => format(scope, JSON.stringify(position)),
  };
}
