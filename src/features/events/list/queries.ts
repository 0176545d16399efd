import { type Reader, sql, type Value } from '../../../database/database.ts';
import { prepareForRows, prepareGet } from '../../../database/prepare.ts';
import type { EventOutcome, EventType } from '../event-types.ts';
import { EVENT_COLUMNS, type EventRow } from '../queries.ts';

/** Conditions that events have to meet; null: any. */
export interface EventFilter {
  readonly type: EventType | null;
  /** `user:<id>` and the like. */
  readonly subject: string | null;
  /** A type of actors, an id, or both: `user:<id>`, or `administrator:<id>`. */
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
export const MAX_EXAMINED = 1_000;

/** Range of event numbers, exclusive at its start, in the order of an index. */
interface IndexedRange {
  readonly where: string;
  /** Columns of the order. */
  readonly order: readonly string[];
}

/** The comparison of rows leaves PostgreSQL no other index, such as that of all numbers for a frequent value. */
const byColumn = (column: string, condition = ''): IndexedRange => ({
  where: `(${column}, number) > ($1, $2) and (${column}, number) <= ($1, $3) and number is not null${condition}`,
  order: [column, 'number'],
});

/** Conditions that have an index, the most selective first. */
const INDEXED_CONDITIONS = {
  subject: { where: 'subject = $1 and number > $2 and number <= $3', order: ['number'] },
  actorId: byColumn('actor_id', ' and actor_id is not null'),
  // Failures are few: with this condition alone, the partial index has them in order.
  failure: {
    where: "outcome = 'failure' and cast($1 as text) is not null and number > $2 and number <= $3",
    order: ['number'],
  },
  type: byColumn('type'),
  actor: byColumn('actor', " and actor <> 'user'"),
  // Also for the actor `user`, who causes most events.
  none: { where: 'cast($1 as text) is null and number > $2 and number <= $3', order: ['number'] },
} as const;
type IndexedCondition = keyof typeof INDEXED_CONDITIONS;

function createStatements(direction: 'asc' | 'desc') {
  const create = ({ where, order }: IndexedRange) => {
    const sorted = `order by ${order.map((column) => `${column} ${direction}`).join(', ')}`;
    const found = `from events where ${where} ${sorted}`;
    return {
      page: sql<EventRow>(`
        select ${EVENT_COLUMNS} from (select ${EVENT_COLUMNS} ${found} limit ${MAX_EXAMINED}) as examined
        where type is not null and ($4 = '' or type = $4) and ($5 = '' or subject = $5)
          and ($6 = '' or actor = $6) and ($7 = '' or actor_id = $7) and ($8 = '' or outcome = $8)
          and created_at >= $9 and created_at < $10
        ${sorted} limit $11`),
      last: sql<{ number: number }>(`select number ${found} limit 1 offset ${MAX_EXAMINED - 1}`),
    };
  };
  return Object.fromEntries(
    Object.entries(INDEXED_CONDITIONS).map(([name, condition]) => [name, create(condition)]),
  ) as Record<IndexedCondition, ReturnType<typeof create>>;
}

const STATEMENTS = { time: createStatements('asc'), '-time': createStatements('desc') };

/** The events with numbers after `low` and up to `high`. */
export interface NumberRange {
  readonly low: number;
  readonly high: number;
}

interface EventSelection {
  readonly filter: EventFilter;
  readonly order: EventOrder;
  /** Up to a number that has been assigned: more events would be added to a page between two statements. */
  readonly range: NumberRange;
  readonly limit: number;
}

/**
 * Returns the next events of the range that meet the conditions, and the number of the last event that was examined or
 * returned: null if nothing of the range is left.
 */
export async function selectEvents(reader: Reader, selection: EventSelection) {
  const { filter, order, range, limit } = selection;
  if (range.high <= range.low) return { rows: [], last: null };
  const [condition, value] = chooseIndex(filter);
  // First, so that the page ends where the examination does, also if content is removed in between.
  const last = await findLastExamined(reader, selection);
  const { low, high } = restrict(selection, last);
  const values = [value, low, high, ...toValues(filter), limit + 1];
  const rows = await reader.all(STATEMENTS[order][condition].page, ...values);
  if (rows.length <= limit) return { rows, last };
  return { rows: rows.slice(0, limit), last: rows[limit - 1]!.number };
}

/** Returns the number of the last event that one request examines; null if that is all of the range. */
async function findLastExamined(reader: Reader, selection: EventSelection): Promise<number | null> {
  const { filter, order, range } = selection;
  const { low, high } = range;
  const [condition, value] = chooseIndex(filter);
  // Numbers have no gaps.
  if (high - low <= MAX_EXAMINED) return null;
  if (condition === 'none') return order === 'time' ? low + MAX_EXAMINED : high - MAX_EXAMINED + 1;
  const last = await reader.get(STATEMENTS[order][condition].last, value, low, high);
  return last?.number ?? null;
}

function restrict({ order, range }: EventSelection, last: number | null): NumberRange {
  if (last === null) return range;
  return order === 'time' ? { ...range, high: last } : { ...range, low: last - 1 };
}

function chooseIndex({ subject, type, actor, outcome }: EventFilter): [IndexedCondition, Value] {
  const [actorType, actorId] = parseActor(actor);
  if (subject !== null) return ['subject', subject];
  if (actorId !== '') return ['actorId', actorId];
  if (outcome === 'failure') return ['failure', ''];
  if (type !== null) return ['type', type];
  if (actorType !== '' && actorType !== 'user') return ['actor', actorType];
  return ['none', null];
}

/** Returns the type and the id of the actor; empty for any. */
function parseActor(actor: string | null): readonly [type: string, id: string] {
  const [first = '', second] = actor?.split(':') ?? [];
  if (second !== undefined) return [first, second];
  // Only ids have hyphens.
  return first.includes('-') ? ['', first] : [first, ''];
}

function toValues({ type, subject, actor, outcome, from, to }: EventFilter): Value[] {
  return [
    type ?? '',
    subject ?? '',
    ...parseActor(actor),
    outcome ?? '',
    from ?? 0,
    to ?? Number.MAX_SAFE_INTEGER,
  ];
}

/**
 * Longer than a transaction can be open, and than the requests that cause events take. Events get their numbers after
 * the commit, in the order of their ids: one that is so much older than another has the lower number.
 */
const MAX_DELAY_MS = 120_000;

const findLastBefore = prepareGet<{ number: number }, [time: number]>(`
  select number from events where created_at <= $1 and number is not null order by created_at desc limit 1`);

/** Returns a number up to which no event happened at `from` or later; 0 if all may have. */
export async function findNumberBefore(reader: Reader, from: number): Promise<number> {
  return (await findLastBefore(reader, from - MAX_DELAY_MS))?.number ?? 0;
}

const findFirstSince = prepareGet<{ number: number }, [time: number]>(`
  select number from events where created_at >= $1 and number is not null order by created_at limit 1`);

/** Returns a number from which on no event happened before `to`; null if all may have. */
export async function findNumberAfter(reader: Reader, to: number): Promise<number | null> {
  return (await findFirstSince(reader, to + MAX_DELAY_MS))?.number ?? null;
}

/** The user that an event is about, as they are now. */
export interface SubjectUser {
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
}

const USERS = prepareForRows<SubjectUser>(
  { id: 'text' },
  'select users.id, users.email, users.name from given cross join users where users.id = given.id',
);

/** Returns those users that are not erased, by id. */
export async function readUsers(reader: Reader, ids: readonly string[]): Promise<Map<string, SubjectUser>> {
  return new Map((await USERS.all(reader, ids)).map((user) => [user.id, user]));
}
