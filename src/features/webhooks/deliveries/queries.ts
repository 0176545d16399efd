import { type Reader, sql, type Tx } from '../../../database/database.ts';
import { sqlForRows } from '../../../database/rows.ts';
import { ORDINARY } from '../../jobs/priority.ts';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
/** `failed`: all attempts have failed, or none was possible until the delivery expired. */
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** An event for an endpoint. Contains no personal data. Times in epoch milliseconds. */
export interface NewDelivery {
  readonly id: string;
  readonly endpoint_id: string;
  /** Null for a test, as are the subject and the sequence of some events. */
  readonly event_number: number | null;
  readonly event_id: string;
  readonly type: string;
  readonly subject: string | null;
  readonly sequence: number | null;
  readonly occurred_at: number;
  readonly created_at: number;
}

export interface DeliveryRow extends NewDelivery {
  readonly state: DeliveryState;
  readonly attempts: number;
  /** Null while it is pending. */
  readonly finished_at: number | null;
}

const COLUMNS = {
  id: 'text',
  endpoint_id: 'text',
  event_number: 'bigint',
  event_id: 'text',
  type: 'text',
  subject: 'text',
  sequence: 'bigint',
  occurred_at: 'bigint',
  created_at: 'bigint',
} as const;
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

const INSERT = sqlForRows(
  { columns: COLUMNS },
  (given) => `
    with ${given}
    insert into webhook_deliveries (${NAMES}, state, attempts)
    select ${NAMES}, 'pending', 0 from given where true`,
);

/** Stores at most 500 deliveries. */
export async function insertDeliveries(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void> {
  const rows = deliveries.map((delivery) => NAMES.map((name) => delivery[name]));
  const { statement, values } = INSERT([], rows);
  await tx.run(statement, ...values);
}

const INSERT_JOBS = sqlForRows(
  { columns: { id: 'text', endpoint_id: 'text' }, singleValues: 3 },
  (given) => `
    with ${given}
    insert into jobs (id, queue, endpoint_id, priority, attempts, next_attempt_at, created_at, expires_at)
    select id, 'webhook', endpoint_id, cast($1 as bigint), 0, cast($2 as bigint), cast($2 as bigint), cast($3 as bigint)
    from given where true`,
);

/** Queues at most 500 deliveries. Their jobs have their ids. */
export async function insertJobs(
  tx: Tx,
  deliveries: readonly Pick<NewDelivery, 'id' | 'endpoint_id'>[],
  { now, expiresAt }: { readonly now: number; readonly expiresAt: number },
): Promise<void> {
  const rows = deliveries.map(({ id, endpoint_id }) => [id, endpoint_id]);
  const { statement, values } = INSERT_JOBS([ORDINARY, now, expiresAt], rows);
  await tx.run(statement, ...values);
}

const ALL_COLUMNS = `${NAMES}, state, attempts, finished_at`;

const FIND = sql<DeliveryRow>(`select ${ALL_COLUMNS} from webhook_deliveries where id = $1`);

export function findDelivery(reader: Reader, id: string): Promise<DeliveryRow | undefined> {
  return reader.get(FIND, id);
}

const LOCK = sql<DeliveryRow>(
  `update webhook_deliveries set state = state where id = $1 and endpoint_id = $2 returning ${ALL_COLUMNS}`,
);

/** Returns a delivery of an endpoint, which no other transaction changes until the end of this one. */
export function lockDelivery(tx: Tx, id: string, endpointId: string): Promise<DeliveryRow | undefined> {
  return tx.get(LOCK, id, endpointId);
}

const REOPEN = sql("update webhook_deliveries set state = 'pending', finished_at = null where id = $1");

/** Makes a finished delivery pending. */
export async function reopenDelivery(tx: Tx, id: string): Promise<void> {
  await tx.run(REOPEN, id);
}

export interface FinishedState {
  readonly state: 'delivered' | 'failed';
  readonly now: number;
}

const COUNT_ATTEMPT = sql<{ attempts: number }>(`
  update webhook_deliveries
  set attempts = attempts + 1, state = coalesce($2, state), finished_at = coalesce($3, finished_at)
  where id = $1 returning attempts`);

/**
 * Counts an attempt, which ends the delivery if `finished` is not null. Returns the number of the attempt; undefined if
 * the delivery is deleted.
 */
export async function countAttempt(
  tx: Tx,
  id: string,
  finished: FinishedState | null,
): Promise<number | undefined> {
  return (await tx.get(COUNT_ATTEMPT, id, finished?.state ?? null, finished?.now ?? null))?.attempts;
}

export interface AttemptRow {
  readonly delivery_id: string;
  /** Beginning with 1. */
  readonly attempt: number;
  readonly at: number;
  readonly duration_ms: number;
  /** Null without a response. */
  readonly status: number | null;
  /** Why there was no complete response; null if there was one. */
  readonly error: string | null;
  /** The first line of the response. */
  readonly line: string | null;
}

const INSERT_ATTEMPT = sql(`
  insert into webhook_attempts (delivery_id, attempt, at, duration_ms, status, error, line)
  values ($1, $2, $3, $4, $5, $6, $7)`);

export async function insertAttempt(tx: Tx, row: AttemptRow): Promise<void> {
  const { delivery_id, attempt, at, duration_ms, status, error, line } = row;
  await tx.run(INSERT_ATTEMPT, delivery_id, attempt, at, duration_ms, status, error, line);
}

const FINISH = sql('update webhook_deliveries set state = $2, finished_at = $3 where id = $1');

export async function finishDelivery(tx: Tx, id: string, { state, now }: FinishedState): Promise<void> {
  await tx.run(FINISH, id, state, now);
}

const NTH_OF_STATE = sql<{ id: string }>(`
  select id from webhook_deliveries where endpoint_id = $1 and state = $2 order by id desc limit 1 offset $3`);

/** Returns the id of the delivery in that state before which `offset` newer ones are; undefined if there are fewer. */
export async function findOlderThan(
  reader: Reader,
  endpointId: string,
  { state, offset }: { readonly state: DeliveryState; readonly offset: number },
): Promise<string | undefined> {
  return (await reader.get(NTH_OF_STATE, endpointId, state, offset))?.id;
}

/** Whether `count` deliveries of an endpoint are pending, or more. */
export async function hasPending(reader: Reader, endpointId: string, count: number): Promise<boolean> {
  return (await findOlderThan(reader, endpointId, { state: 'pending', offset: count - 1 })) !== undefined;
}

const PAGE = sql<DeliveryRow>(`
  select ${ALL_COLUMNS} from webhook_deliveries where endpoint_id = $1 and id < $2 order by id desc limit $3`);
const PAGE_OF_STATE = sql<DeliveryRow>(`
  select ${ALL_COLUMNS} from webhook_deliveries
  where endpoint_id = $1 and state = $4 and id < $2 order by id desc limit $3`);

export interface DeliveryPageRequest {
  readonly endpointId: string;
  /** Null for all. */
  readonly state: DeliveryState | null;
  /** The id before which the page begins; null for the first page. */
  readonly before: string | null;
  readonly limit: number;
}

/** After every id. */
const AFTER_ALL_IDS = '~';

/** Returns deliveries of an endpoint, the newest first. */
export function readDeliveries(reader: Reader, request: DeliveryPageRequest): Promise<DeliveryRow[]> {
  const { endpointId, state, before, limit } = request;
  const values = [endpointId, before ?? AFTER_ALL_IDS, limit] as const;
  return state === null ? reader.all(PAGE, ...values) : reader.all(PAGE_OF_STATE, ...values, state);
}

const ATTEMPTS = sqlForRows<AttemptRow>(
  { columns: { id: 'text' } },
  (given) => `
    with ${given}
    select delivery_id, attempt, at, duration_ms, status, error, line
    from given cross join webhook_attempts where webhook_attempts.delivery_id = given.id`,
);

/** Returns the attempts of at most 500 deliveries, oldest first. */
export async function readAttempts(reader: Reader, ids: readonly string[]): Promise<AttemptRow[]> {
  const { statement, values } = ATTEMPTS(
    [],
    ids.map((id) => [id]),
  );
  return (await reader.all(statement, ...values)).sort((a, b) => a.attempt - b.attempt);
}

const SCHEDULE = sqlForRows<{ id: string; next_attempt_at: number }>(
  { columns: { id: 'text' } },
  (given) => `
    with ${given}
    select jobs.id, jobs.next_attempt_at from given cross join jobs where jobs.id = given.id`,
);

/** Returns the times of the next attempts of at most 500 deliveries, of those that are pending. */
export async function readSchedule(reader: Reader, ids: readonly string[]): Promise<Map<string, number>> {
  const { statement, values } = SCHEDULE(
    [],
    ids.map((id) => [id]),
  );
  const rows = await reader.all(statement, ...values);
  return new Map(rows.map(({ id, next_attempt_at }) => [id, next_attempt_at]));
}
