/** Requests that read events. */
import { createEventCursor, type EventList, FEED } from '../../../src/features/events/list/event-cursors.ts';
import type { EventOrder } from '../../../src/features/events/list/queries.ts';
import { readEventFilter } from '../../../src/features/events/list/read-filter.ts';
import { createPagination, type Pagination } from '../../../src/lib/routes/pagination.ts';
import { deriveKey } from '../../../src/lib/secrets/secret-key.ts';
import { DAY, timestamp } from '../../../src/lib/time/clock.ts';
import { ADMIN_TOKEN, type BenchRequest, get } from '../../load/requests.ts';
import type { Sample } from '../../processes/seed.ts';
import { AGE_DAYS } from '../../processes/seed-events.ts';

export type ReadRequest = BenchRequest & { readonly isStream: boolean };

/** Returns the request of a round: each has another position or user. */
export type Read = (round: number) => ReadRequest;

export interface ReadsOptions {
  readonly secretKey: string;
  readonly sample: Sample;
  /** Number of the events, which is the number of the last one. */
  readonly events: number;
}

const LIST = '/api/v1/events';

const byAdmin = (path: string): ReadRequest => ({ ...get(path, ADMIN_TOKEN), isStream: false });
const streamByAdmin = (path: string): ReadRequest => ({ ...byAdmin(path), isStream: true });
const daysAgo = (days: number) => timestamp(Date.now() - days * DAY);

/** Returns the reads by name. */
export function createReads(options: ReadsOptions): Record<string, Read> {
  return { ...createLists(options), ...createOthers(options) };
}

/** The first, a middle and the last page of the list with each filter, in both orders. */
function createLists({ secretKey, sample: { ids }, events }: ReadsOptions): Record<string, Read> {
  const pagination = createPagination(deriveKey(secretKey, 'cursors'));
  const lists: Record<string, Read> = {};
  for (const [what, filter] of Object.entries(createFilters(ids))) {
    for (const order of ['-time', 'time'] as const) {
      const positions = { first: null, middle: events / 2, last: order === 'time' ? events - 100 : 100 };
      for (const [page, after] of Object.entries(positions))
        lists[`${what}, ${order}, ${page}`] = createPage(pagination, { filter, order, after });
    }
  }
  return lists;
}

function createFilters(ids: readonly string[]): Record<string, Record<string, string>> {
  return {
    'no filter': {},
    'a frequent type': { type: 'login.succeeded' },
    'a rare type': { type: 'users.exported' },
    'an absent type': { type: 'webhook.deleted' },
    'a user': { subject: `user:${ids[0]}` },
    'an absent subject': { subject: 'mail' },
    'actor user': { actor: 'user' },
    'actor administrator': { actor: 'administrator' },
    'an absent actor': { actor: 'system' },
    'a user as actor': { actor: `user:${ids[0]}` },
    'another user as actor': { actor: `user:${ids[500]}` },
    successes: { outcome: 'success' },
    failures: { outcome: 'failure' },
    'from a time': { from: daysAgo(AGE_DAYS / 3) },
    'to a time': { to: daysAgo(AGE_DAYS / 3) },
    'a day': { from: daysAgo(AGE_DAYS / 2), to: daysAgo(AGE_DAYS / 2 - 1) },
    'all filters': {
      type: 'login.succeeded',
      subject: `user:${ids[0]}`,
      actor: 'user',
      outcome: 'success',
      from: daysAgo(AGE_DAYS - 1),
      to: daysAgo(1),
    },
    'filters without a match': { type: 'login.succeeded', actor: 'administrator', outcome: 'failure' },
  };
}

interface ListPage {
  readonly filter: Readonly<Record<string, string>>;
  readonly order: EventOrder;
  /** The number of the event before the page in its order; null for the first page. */
  readonly after: number | null;
}

function createPage(pagination: Pagination, { filter, order, after }: ListPage): Read {
  const list: EventList = { filter: readEventFilter(filter), order };
  return (round) => {
    const query = new URLSearchParams({ ...filter, order, limit: '100' });
    if (after !== null) query.set('cursor', createEventCursor(pagination, after - round, list));
    return byAdmin(`${LIST}?${query}`);
  };
}

function createOthers({ secretKey, sample, events }: ReadsOptions): Record<string, Read> {
  const pagination = createPagination(deriveKey(secretKey, 'cursors'));
  const { ids, tokens } = sample;
  const subject = `user:${ids[0]}`;
  const own: EventList = { filter: { ...FEED.filter, subject }, order: '-time' };
  const ownPage = (after: number): Read => {
    const cursor = createEventCursor(pagination, after, own);
    return () => ({ ...get(`/api/v1/me/events?limit=100&cursor=${cursor}`, tokens[0]), isStream: false });
  };
  const feedCursor = (round: number) => createEventCursor(pagination, events / 3 + round * 1_000, FEED);
  return {
    'own events': (round) => ({ ...get('/api/v1/me/events', tokens[round]), isStream: false }),
    'own events, middle': ownPage(events / 2),
    'own events, last': ownPage(events / 1_000),
    'own security events': (round) => ({
      ...get('/api/v1/me/security-events', tokens[round]),
      isStream: false,
    }),
    'security events of a user': (round) => byAdmin(`/api/v1/users/${ids[round]}/security-events`),
    'security events of all': () => byAdmin('/api/v1/admin/security-events'),
    'begin of an export': () => streamByAdmin(`${LIST}/export`),
    'begin of an export, oldest first': () => streamByAdmin(`${LIST}/export?order=time`),
    'begin of an export of a rare type': () => streamByAdmin(`${LIST}/export?type=users.exported`),
    'begin of a stream': () => streamByAdmin(`${LIST}/stream`),
    'begin of a stream after a cursor': (round) =>
      streamByAdmin(`${LIST}/stream?cursor=${feedCursor(round)}`),
    dashboard: () => byAdmin('/api/v1/admin/dashboard'),
  };
}
