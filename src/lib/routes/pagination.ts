/**
 * Keyset pagination by `limit` and an opaque `cursor`. A cursor names the last record and the list that it belongs
 * to. It is signed, so that an invented one is rejected, and it grants nothing.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Problem } from '../../problems/problem.ts';
import type { Query } from './query.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
const SIGNATURE_BYTES = 12;

export interface Page {
  readonly limit: number;
  /** The position after which the page begins (of most lists the id), or null for the first page. */
  readonly after: string | null;
}

export interface Pagination {
  /** @throws Problem invalid_limit, invalid_cursor */
  read(query: Query, scope: string): Page;
  cursor(last: string, scope: string): string;
}

/** `scope` names the list and its filters: a cursor of one list is invalid in another. */
export function createPagination(key: Uint8Array): Pagination {
  const sign = (text: string) => createHmac('sha256', key).update(text).digest().subarray(0, SIGNATURE_BYTES);
  return {
    read: (query, scope) => ({ limit: readLimit(query.limit), after: readCursor(query.cursor, scope, sign) }),
    cursor(last, scope) {
      const signature = sign(`1:${scope}:${last}`);
      return Buffer.concat([signature, Buffer.from(last)]).toString('base64url');
    },
  };
}

/**
 * Reads the maximum number of records. Absent and 0 mean the default, more than the maximum means the maximum (Google
 * AIP-158). @throws Problem invalid_limit
 */
export function readLimit(given: string | string[] | undefined): number {
  if (given === undefined) return DEFAULT_LIMIT;
  if (typeof given !== 'string' || !/^\d+$/.test(given)) throw new Problem('invalid_limit');
  return Math.min(Number(given), MAX_LIMIT) || DEFAULT_LIMIT;
}

function readCursor(
  given: string | string[] | undefined,
  scope: string,
  sign: (text: string) => Uint8Array,
): string | null {
  if (given === undefined) return null;
  if (typeof given !== 'string') throw new Problem('invalid_cursor');
  const bytes = Buffer.from(given, 'base64url');
  const last = bytes.subarray(SIGNATURE_BYTES).toString();
  const signature = bytes.subarray(0, SIGNATURE_BYTES);
  const isOurs =
    signature.length === SIGNATURE_BYTES &&
    timingSafeEqual(signature, sign(`1:${scope}:${last}`)) &&
    bytes.toString('base64url') === given;
  if (!isOurs) throw new Problem('invalid_cursor');
  return last;
}

export interface PageLinks {
  readonly url: string;
  /** Query parameters that the next request has to repeat. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly limit: number;
  readonly nextCursor: string | null;
  readonly isFirst: boolean;
}

/** Returns the Link header of a page (RFC 8288), or undefined when all records are on one page. */
export function pageLinks({ url, parameters, limit, nextCursor, isFirst }: PageLinks): string | undefined {
  if (nextCursor === null && isFirst) return undefined;
  // Not URLSearchParams, which takes longer than reading the page. Cursors are base64url and need no encoding.
  const filters = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}&`);
  const first = `<${url}?${filters.join('')}limit=${limit}`;
  const links = nextCursor === null ? [] : [`${first}&cursor=${nextCursor}>; rel="next"`];
  return [...links, `${first}>; rel="first"`].join(', ');
}
