/** The filters of the events in the URL. */
import { withQuery } from '../../common/router.tsx';
import { EVENT_TYPES } from './event-types.ts';

export const OUTCOMES = { failure: 'Failures', success: 'Successes' } as const;
export const ACTORS = {
  administrator: 'Administrators',
  user: 'Users',
  anonymous: 'Not logged in',
  system: 'The service',
} as const;

/** Null for any. */
export interface EventFilter {
  readonly type: string | null;
  readonly outcome: string | null;
  readonly actor: string | null;
  readonly subject: string | null;
  /** Times (RFC 3339): `from` is included, `to` is not. */
  readonly from: string | null;
  readonly to: string | null;
}

export const EVENTS = '/console/events';
export const NO_FILTER: EventFilter = {
  type: null,
  outcome: null,
  actor: null,
  subject: null,
  from: null,
  to: null,
};

/** Unknown values are those of another release, or typed: they count as absent. */
export function readFilter(query: URLSearchParams): EventFilter {
  return {
    type: findKey(EVENT_TYPES, query.get('type')),
    outcome: findKey(OUTCOMES, query.get('outcome')),
    actor: readActor(query.get('actor')),
    subject: query.get('subject') || null,
    from: readTime(query.get('from')),
    to: readTime(query.get('to')),
  };
}

/** Not `in`, which also finds what every object inherits. */
function findKey(object: object, key: string | null): string | null {
  return key !== null && Object.hasOwn(object, key) ? key : null;
}

/** A kind of actor, or one user. */
function readActor(text: string | null): string | null {
  return text?.startsWith('user:') ? text : findKey(ACTORS, text);
}

function readTime(text: string | null): string | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

export function linkToEvents(filter: Partial<EventFilter>): string {
  return withQuery(EVENTS, { ...filter });
}

export function isFiltered(filter: EventFilter): boolean {
  return Object.values(filter).some((value) => value !== null);
}
