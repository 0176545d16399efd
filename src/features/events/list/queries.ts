import { type Reader, sql, type Value } from '../../../database/database.ts';
import type { EventOutcome, EventType } from '../event-types.ts';
import { EVENT_COLUMNS, type EventRow } from '../queries.ts';

/** Conditions that events have to meet; null: any. */
export interface EventFilter {
  readonly type: EventType | null;
  /** `user:<id>` and the like. */
  readonly subject: string | null;
  /** A type of actors, or `user:<id>`. */
  readonly actor: string | null;
  readonly outcome: EventOutcome | null;
  /** Epoch milliseconds, included. */
  readonly from: number | null;
  /** Epoch milliseconds, not included. */
  readonly to: number | null;
}

export const EVENT_ORDERS = ['time', '-time'] as const;
/** `-time`: the newest first. */
export type EventOrder = (typeof EVENT_ORDERS)[number];

/**
 * Events that one request examines at most, found by the index of one condition. The other conditions are checked one
 * by one, so a page can be shorter than its limit, or empty, although there are more.
 */
export const EXAMINED = 1_000;

/** Conditions that have an index, the most selective first. */
const INDEXED = {
  subject: 'subject = $1',
  // Failures are few: with this condition alone, the partial index has them in order.
  failure: "outcome = 'failure' and cast($1 as text) is not null",
  type: 'type = $1',
  actor: 'actor = $1',
  none: 'cast($1 as text) is null',
} as const;
type IndexedCondition = keyof typeof INDEXED;

function createStatements(range: string, order: string) {
  const create = (condition: string) => {
    const examined = `
      select ${EVENT_COLUMNS} from events where ${condition} and ${range} order by number ${order} limit ${EXAMINED}`;
    return {
      page: sql<EventRow>(`
        select ${EVENT_COLUMNS} from (${examined}) as examined
        where type is not null and ($4 = '' or type = $4) and ($5 = '' or subject = $5)
          and ($6 = '' or actor = $6) and ($7 = '' or actor_id = $7) and ($8 = '' or outcome = $8)
          and created_at >= $9 and created_at < $10
        order by number ${order} limit $11`),
      last: sql<{ number: number }>(`
        select number from events where ${condition} and ${range} order by number ${order}
        limit 1 offset ${EXAMINED - 1}`),
    };
  };
  return Object.fromEntries(
    Object.entries(INDEXED).map(([name, condition]) => [name, create(condition)]),
  ) as Record<IndexedCondition, ReturnType<typeof create>>;
}

const STATEMENTS = {
  time: createStatements('number > $2 and number <= $3', 'asc'),
  '-time': createStatements('number >= $2 and number < $3', 'desc'),
};

export interface EventPageRequest {
  readonly filter: EventFilter;
  readonly order: EventOrder;
  /** Numbers between which the page is: without the one after which it begins. */
  readonly range: readonly [number, number];
  readonly limit: number;
}

export interface EventPage {
  readonly rows: readonly EventRow[];
  /** The number after which the next page begins; null if nothing is left. */
  readonly next: number | null;
}

/** Returns the next events that meet the conditions, and where to go on. */
export async function readEventPage(reader: Reader, request: EventPageRequest): Promise<EventPage> {
  const { filter, order, range, limit } = request;
  const [condition, value] = chooseIndex(filter);
  const { page, last } = STATEMENTS[order][condition];
  const rows = await reader.all(page, value, ...range, ...toValues(filter), limit + 1);
  if (rows.length > limit) return { rows: rows.slice(0, limit), next: rows[limit - 1]!.number };
  const examined = await reader.get(last, value, ...range);
  return { rows, next: examined?.number ?? null };
}

function chooseIndex({ subject, type, actor, outcome }: EventFilter): [IndexedCondition, Value] {
  if (subject !== null) return ['subject', subject];
  if (outcome === 'failure') return ['failure', ''];
  if (type !== null) return ['type', type];
  if (actor !== null) return ['actor', actor.split(':', 1)[0]!];
  return ['none', null];
}

function toValues({ type, subject, actor, outcome, from, to }: EventFilter): Value[] {
  const [actorType = '', actorId = ''] = actor?.split(':') ?? [];
  return [
    type ?? '',
    subject ?? '',
    actorType,
    actorId,
    outcome ?? '',
    from ?? 0,
    to ?? Number.MAX_SAFE_INTEGER,
  ];
}

/** Transactions that take longer are ended by the database: no event is numbered later than this after its time. */
const MAX_DELAY_MS = 60_000;

const FIRST_SINCE = sql<{ number: number }>(`
  select number from events where created_at >= $1 and number is not null order by created_at limit 1`);

/** Returns a number before which no event happened at `from` or later; null if there are none since. */
export async function findNumberBefore(reader: Reader, from: number): Promise<number | null> {
  const first = await reader.get(FIRST_SINCE, from - MAX_DELAY_MS);
  return first === undefined ? null : first.number - 1;
}

/** Returns a number from which on no event happened before `to`; null if all may have. */
export async function findNumberAfter(reader: Reader, to: number): Promise<number | null> {
  return (await reader.get(FIRST_SINCE, to + MAX_DELAY_MS))?.number ?? null;
}
