/** Cursors of lists of events: the number after which the next page begins. */
import type { Pagination } from '../../../lib/routes/pagination.ts';
import type { Query } from '../../../lib/routes/query.ts';
import type { EventFilter, EventOrder } from './queries.ts';

export interface EventList {
  readonly filter: EventFilter;
  readonly order: EventOrder;
}

const EVERYTHING: EventFilter = {
  type: null,
  subject: null,
  actor: null,
  outcome: null,
  from: null,
  to: null,
};

/** All events, the oldest first. */
export const FEED: EventList = { filter: EVERYTHING, order: 'time' };

function toScope({ filter, order }: EventList): string {
  const { type, subject, actor, outcome, from, to } = filter;
  return `events:${JSON.stringify([order, type, subject, actor, outcome, from, to])}`;
}

/** @throws Problem invalid_limit, invalid_cursor */
export function readEventPage(pagination: Pagination, query: Query, list: EventList) {
  const { limit, after } = pagination.read(query, toScope(list));
  return { limit, after: after === null ? null : Number(after) };
}

export function createEventCursor(pagination: Pagination, number: number, list: EventList): string {
  return pagination.cursor(String(number), toScope(list));
}
