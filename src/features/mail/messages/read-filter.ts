/** Reads the filters of the list of messages from a query. */
import type { Query } from '../../../lib/routes/query.ts';
import { normalizeEmail } from '../../../lib/text/email-address.ts';
import { codePointLength, isStorable } from '../../../lib/text/text.ts';
import { parseDateOrTime } from '../../../lib/time/parse-time.ts';
import { Problem } from '../../../problems/problem.ts';
import { MESSAGE_STATES, type MessageState } from './states.ts';

export const FILTER_NAMES = ['state', 'recipient', 'from', 'to'] as const;
type FilterName = (typeof FILTER_NAMES)[number];

const MAX_RECIPIENT_LENGTH = 255;

/** Null for any. Times in epoch milliseconds: `from` is included, `to` is not. */
export interface MessageFilter {
  readonly state: MessageState | null;
  /** A normalized address, or a part of one. */
  readonly recipient: string | null;
  readonly from: number | null;
  readonly to: number | null;
}

/** @throws Problem invalid_filter, whose text names the parameter */
export function readMessageFilter(query: Query): MessageFilter {
  return {
    state: readState(query),
    recipient: readRecipient(query),
    from: readTime(query, 'from'),
    to: readTime(query, 'to'),
  };
}

/** Returns the parameters that the next request has to repeat. */
export function toParameters(query: Query): Record<string, string> {
  return Object.fromEntries(
    FILTER_NAMES.flatMap((name) => (query[name] === undefined ? [] : [[name, String(query[name])]])),
  );
}

function readState(query: Query): MessageState | null {
  const given = query.state;
  if (given === undefined) return null;
  const state = MESSAGE_STATES.find((each) => each === given);
  if (state === undefined) throw invalid(`state must be one of ${MESSAGE_STATES.join(', ')}`);
  return state;
}

function readRecipient(query: Query): string | null {
  const given = readText(query, 'recipient');
  if (given === null) return null;
  const isValid = isStorable(given) && codePointLength(given) <= MAX_RECIPIENT_LENGTH && given.trim() !== '';
  if (!isValid)
    throw invalid(`recipient must have 1 to ${MAX_RECIPIENT_LENGTH} characters, not only white space`);
  return normalizeEmail(given);
}

function readTime(query: Query, name: 'from' | 'to'): number | null {
  const given = readText(query, name);
  if (given === null) return null;
  const time = parseDateOrTime(given);
  if (time === null)
    throw invalid(`${name} must be a date (2026-01-31) or an RFC 3339 timestamp (2026-01-31T09:30:00Z)`);
  return time;
}

function readText(query: Query, name: FilterName): string | null {
  const given = query[name];
  if (Array.isArray(given)) throw invalid(`${name} must be given once`);
  return given ?? null;
}

function invalid(text: string): Problem {
  return new Problem('invalid_filter', { text });
}
