import type { Reader, Tx } from '../../database/database.ts';
import { prepareAll, prepareGet, prepareRun, prepareValue } from '../../database/prepare.ts';

/** Why no events are delivered: the administrator's choice, a 410, or failures for days. */
export const DISABLED_REASONS = ['administrator', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** An endpoint without its secrets. Times in epoch milliseconds. */
export interface EndpointRow {
  readonly id: string;
  readonly url: string;
  /** JSON array; null for all types. */
  readonly types: string | null;
  readonly description: string | null;
  /** 1 or 0. */
  readonly enabled: number;
  /** Null if it is enabled. */
  readonly disabled_reason: DisabledReason | null;
  /** Time until which deliveries are also signed with the secret before the last rotation. */
  readonly previous_secret_until: number | null;
  /** Time of the first of the failures without a success since; null if the last delivery succeeded. */
  readonly failing_since: number | null;
  /** Error or status of the last failure since then. */
  readonly last_error: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly version: number;
}

const COLUMNS = `id, url, types, description, enabled, disabled_reason, previous_secret_until, failing_since, last_error,
  created_at, updated_at, version`;

export interface NewEndpoint
  extends Pick<EndpointRow, 'id' | 'url' | 'types' | 'description' | 'enabled' | 'disabled_reason'> {
  /** Encrypted. */
  readonly secret: Uint8Array;
  /** The number of the first event that it receives. */
  readonly nextNumber: number;
  readonly now: number;
}

/** Stores an endpoint, and returns it. */
export const insertEndpoint = prepareGet<EndpointRow, NewEndpoint, Tx>(`
  insert into webhook_endpoints
    (id, url, types, description, enabled, disabled_reason, secret, next_number, created_at, updated_at, version)
  values ($id, $url, $types, $description, $enabled, $disabled_reason, $secret, $nextNumber, $now, $now, 1)
  returning ${COLUMNS}`);

export const countEndpoints = prepareValue<number>('select count(*) as endpoints from webhook_endpoints');

/** Returns all endpoints, oldest first. */
export const listEndpoints = prepareAll<EndpointRow>(`select ${COLUMNS} from webhook_endpoints order by id`);

export const findEndpoint = prepareGet<EndpointRow, [id: string]>(
  `select ${COLUMNS} from webhook_endpoints where id = $1`,
);

/** Returns the endpoint, which no other transaction changes until the end of this one. */
export const lockEndpoint = prepareGet<EndpointRow, [id: string], Tx>(
  `update webhook_endpoints set version = version where id = $1 returning ${COLUMNS}`,
);

/** Writes the members that can be changed, and returns the endpoint. */
export const updateEndpointRow = prepareGet<EndpointRow, EndpointRow, Tx>(`
  update webhook_endpoints
  set url = $url, types = $types, description = $description, enabled = $enabled,
    disabled_reason = $disabled_reason, failing_since = $failing_since, last_error = $last_error, updated_at = $updated_at,
    version = version + 1
  where id = $id returning ${COLUMNS}`);

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

export const deleteEndpointRow = prepareRun<[id: string]>('delete from webhook_endpoints where id = $1');
