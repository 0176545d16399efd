/** Reads the filters of lists of events from a query. */
import { ACTOR_TYPES } from '../../../callers/action-context.ts';
import { invalidFilter, readChoice, readText, repeatParameters } from '../../../lib/routes/filters.ts';
import type { Query } from '../../../lib/routes/query.ts';
import { isId } from '../../../lib/secrets/ids.ts';
import { isStorable } from '../../../lib/text/text.ts';
import { parseTimestamp } from '../../../lib/time/parse-timestamp.ts';
import { EVENT_TYPE_NAMES, OUTCOMES } from '../event-types.ts';
import { EVENT_ORDERS, type EventFilter, type EventOrder } from './queries.ts';

export const FILTER_NAMES = ['type', 'subject', 'actor', 'outcome', 'from', 'to'] as const;

export const MAX_SUBJECT_LENGTH = 255;

/** @throws Problem invalid_filter with a text that names the parameter */
export function readEventFilter(query: Query): EventFilter {
  return {
    type: readChoice(query, 'type', EVENT_TYPE_NAMES),
    subject: readSubject(query),
    actor: readActor(query),
    outcome: readChoice(query, 'outcome', OUTCOMES),
    from: readTime(query, 'from'),
    to: readTime(query, 'to'),
  };
}

/** Returns `-time` without the parameter: the newest first. @throws Problem invalid_filter */
export function readEventOrder(query: Query): EventOrder {
  return readChoice(query, 'order', EVENT_ORDERS) ?? '-time';
}

/** Returns the parameters that the next request has to repeat. */
export function listParameters(query: Query): Record<string, string> {
  return repeatParameters(query, [...FILTER_NAMES, 'order']);
}

function readSubject(query: Query): string | null {
  const subject = readText(query, 'subject');
  if (subject === null) return null;
  if (subject === '' || subject.length > MAX_SUBJECT_LENGTH || !isStorable(subject))
    throw invalidFilter(`subject must have 1 to ${MAX_SUBJECT_LENGTH} characters, such as user:<id>`);
  return subject;
}

function readActor(query: Query): string | null {
  const actor = readText(query, 'actor');
  if (actor === null || (ACTOR_TYPES as readonly string[]).includes(actor)) return actor;
  const [type = '', id = ''] = actor.split(/:(.*)/s);
  if ((type === 'user' || type === 'administrator') && isId(id)) return actor;
  throw invalidFilter(`actor must be one of ${ACTOR_TYPES.join(', ')}, user:<id> or administrator:<id>`);
}

function readTime(query: Query, name: 'from' | 'to'): number | null {
  const text = readText(query, name);
  if (text === null) return null;
  const time = parseTimestamp(text);
  if (time === undefined)
    throw invalidFilter(`${name} must be a time with its offset (RFC 3339), such as 2026-01-31T12:00:00Z`);
  return time;
}
