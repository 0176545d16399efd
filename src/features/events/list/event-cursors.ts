/** Cursors of lists of events: the number after which the next page begins. */
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

/** Returns the scope of the cursors of a list. */
export function toScope({ filter, order }: EventList): string {
  const { type, subject, actor, outcome, from, to } = filter;
  return `events:${JSON.stringify([order, type, subject, actor, outcome, from, to])}`;
}
