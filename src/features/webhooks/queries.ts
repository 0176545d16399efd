import type { Reader, Tx } from '../../database/database.ts';
import { prepareAll, prepareChange, prepareGet, prepareRun, prepareTable } from '../../database/prepare.ts';
import { DAY } from '../../lib/time.ts';
import type { RecordStore } from '../records/change-record.ts';
import { listChanges } from './rules.ts';
import type { DisabledReason, EndpointRow } from './webhook.ts';

const COLUMNS = [
  ...(['id', 'url', 'types', 'description', 'enabled', 'disabled_reason', 'previous_secret_until'] as const),
  ...(['failing_since', 'last_error', 'created_at', 'updated_at', 'version'] as const),
];
const table = prepareTable<EndpointRow>('webhook_endpoints', COLUMNS);
export const { list: listEndpoints, find: findEndpoint, count: countEndpoints } = table;

export const webhookStore: RecordStore<EndpointRow> = { kind: 'webhook', ...table, listChanges };

interface NewEndpoint extends EndpointRow {
  /** Encrypted. */
  readonly secret: Uint8Array;
  /** The number of the first event that it receives. */
  readonly next_number: number;
}

const NEW_COLUMNS = [...COLUMNS, 'secret', 'next_number'];

export const insertEndpoint = prepareRun<NewEndpoint>(
  `insert into webhook_endpoints (${NEW_COLUMNS}) values (${NEW_COLUMNS.map((name) => `$${name}`)})`,
);

/** Sets the number of the next event that the endpoint receives. */
export const setNextNumber = prepareRun<[id: string, number: number]>(
  'update webhook_endpoints set next_number = $2 where id = $1',
);

interface SecretRotation {
  readonly id: string;
  /** Encrypted. */
  readonly secret: Uint8Array;
  /** The replaced secret, encrypted, if deliveries are still signed with it. */
  readonly previous: Uint8Array | null;
  readonly previousUntil: number | null;
  readonly now: number;
}

/** Replaces the secrets of an endpoint that the transaction has locked, and returns it. */
export const writeSecrets = prepareGet<EndpointRow, SecretRotation, Tx>(`
  update webhook_endpoints
  set secret = $secret, previous_secret = $previous, previous_secret_until = $previousUntil, updated_at = $now,
    version = version + 1
  where id = $id returning ${COLUMNS}`);

const getSecrets = prepareGet<
  { secret: Uint8Array; previous_secret: Uint8Array | null },
  [id: string, now: number]
>(`
  select secret, case when previous_secret_until > $2 then previous_secret end as previous_secret
  from webhook_endpoints where id = $1`);

/** Returns the encrypted secrets that are valid at `now`, the newest first; none for an unknown endpoint. */
export async function findSecrets(reader: Reader, id: string, now: number): Promise<Uint8Array[]> {
  const row = await getSecrets(reader, id, now);
  if (row === undefined) return [];
  return row.previous_secret === null ? [row.secret] : [row.secret, row.previous_secret];
}

/** An endpoint for which there are events. */
export interface BehindEndpoint {
  readonly id: string;
  /** JSON array; null for all types. */
  readonly types: string | null;
  /** Number of the next event. */
  readonly next_number: number;
}

export const findBehindEndpoints = prepareAll<BehindEndpoint>(`
  select id, types, next_number from webhook_endpoints
  where enabled = 1 and next_number <= (select number from event_chain where id = 1)
  order by id`);

/**
 * Moves the number of the next event. Returns false if another node has done so, or nothing is to be delivered any
 * more.
 */
export const advance = prepareChange<{ id: string; from: number; to: number }>(
  'update webhook_endpoints set next_number = $to where id = $id and next_number = $from and enabled = 1',
);

/** An endpoint that may receive deliveries, with one due, or running on another node. */
export interface DueEndpoint {
  readonly id: string;
  readonly failing_since: number | null;
}

export const findDueEndpoints = prepareAll<DueEndpoint, [now: number]>(`
  select id, failing_since from webhook_endpoints
  where enabled = 1
    and (select next_attempt_at from jobs where endpoint_id = webhook_endpoints.id
         order by next_attempt_at, id limit 1) <= $1`);

/** Longer than the longest time between two attempts of a delivery: a failure after that begins a new series. */
const MAX_PAUSE_MS = 2 * DAY;

/** Notes that a delivery has failed, and since when all have. */
export const setFailing = prepareRun<[id: string, now: number, error: string]>(`
  update webhook_endpoints
  set failing_since = case when last_failure_at >= cast($2 as bigint) - ${MAX_PAUSE_MS}
      then coalesce(failing_since, $2) else $2 end,
    last_failure_at = $2, last_error = $3
  where id = $1`);

/** Notes that a delivery has succeeded. */
export const clearFailing = prepareRun<[id: string]>(
  'update webhook_endpoints set failing_since = null, last_error = null where id = $1 and failing_since is not null',
);

/** Returns false if its first failure was later than `failingSince`, or it is disabled already. */
export const disableEndpoint = prepareChange<{
  endpointId: string;
  reason: DisabledReason;
  now: number;
  failingSince: number;
}>(`
  update webhook_endpoints
  set enabled = 0, disabled_reason = $reason, updated_at = $now, version = version + 1
  where id = $endpointId and enabled = 1 and failing_since <= $failingSince`);
