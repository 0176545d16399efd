/** Reads the filters of the list of messages from a query. */
import {
  invalidFilter,
  readChoice,
  readDateOrTime,
  readText,
  repeatParameters,
} from '../../../lib/routes/filters.ts';
import type { Query } from '../../../lib/routes/query.ts';
import { normalizeEmail } from '../../../lib/text/email-address.ts';
import { codePointLength, isStorable } from '../../../lib/text/text.ts';
import { MESSAGE_STATES, type MessageState } from './states.ts';

export const FILTER_NAMES = ['state', 'recipient', 'from', 'to'] as const;

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
    state: readChoice(query, 'state', MESSAGE_STATES),
    recipient: readRecipient(query),
    from: readDateOrTime(query, 'from'),
    to: readDateOrTime(query, 'to'),
  };
}

/** Returns the parameters that the next request has to repeat. */
export function toParameters(query: Query): Record<string, string> {
  return repeatParameters(query, FILTER_NAMES);
}

function readRecipient(query: Query): string | null {
  const given = readText(query, 'recipient');
  if (given === null) return null;
  const isValid = isStorable(given) && codePointLength(given) <= MAX_RECIPIENT_LENGTH && given.trim() !== '';
  if (!isValid)
    throw invalidFilter(`recipient must have 1 to ${MAX_RECIPIENT_LENGTH} characters, not only white space`);
  return normalizeEmail(given);
}
