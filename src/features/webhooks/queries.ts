import { type Reader, sql, type Tx } from '../../database/database.ts';

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
  readonly created_at: number;
  readonly updated_at: number;
  readonly version: number;
}

const COLUMNS = `id, url, types, description, enabled, disabled_reason, previous_secret_until, failing_since,
  created_at, updated_at, version`;

const INSERT = sql<EndpointRow>(`
  insert into webhook_endpoints
    (id, url, types, description, enabled, disabled_reason, secret, next_number, created_at, updated_at, version)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, 1)
  returning ${COLUMNS}`);

export interface NewEndpoint
  extends Pick<EndpointRow, 'id' | 'url' | 'types' | 'description' | 'enabled' | 'disabled_reason'> {
  /** Encrypted. */
  readonly secret: Uint8Array;
  /** The number of the first event that it receives. */
  readonly nextNumber: number;
  readonly now: number;
}

/** Stores an endpoint, and returns it. */
export async function insertEndpoint(tx: Tx, endpoint: NewEndpoint): Promise<EndpointRow> {
  const { id, url, types, description, enabled, disabled_reason, secret, nextNumber, now } = endpoint;
  const state = [enabled, disabled_reason] as const;
  return (await tx.get(INSERT, id, url, types, description, ...state, secret, nextNumber, now))!;
}

const COUNT = sql<{ endpoints: number }>('select count(*) as endpoints from webhook_endpoints');

export async function countEndpoints(reader: Reader): Promise<number> {
  return (await reader.get(COUNT))!.endpoints;
}

const LIST = sql<EndpointRow>(`select ${COLUMNS} from webhook_endpoints order by id`);

/** Returns all endpoints, oldest first. */
export function listEndpoints(reader: Reader): Promise<EndpointRow[]> {
  return reader.all(LIST);
}

const FIND = sql<EndpointRow>(`select ${COLUMNS} from webhook_endpoints where id = $1`);

export function findEndpoint(reader: Reader, id: string): Promise<EndpointRow | undefined> {
  return reader.get(FIND, id);
}

const LOCK = sql<EndpointRow>(
  `update webhook_endpoints set version = version where id = $1 returning ${COLUMNS}`,
);

/** Returns the endpoint, which no other transaction changes until the end of this one. */
export function lockEndpoint(tx: Tx, id: string): Promise<EndpointRow | undefined> {
  return tx.get(LOCK, id);
}

const UPDATE = sql<EndpointRow>(`
  update webhook_endpoints
  set url = $2, types = $3, description = $4, enabled = $5, disabled_reason = $6, failing_since = $7,
    updated_at = $8, version = version + 1
  where id = $1 returning ${COLUMNS}`);

/** Writes the members that can be changed, and returns the endpoint. */
export async function updateEndpointRow(tx: Tx, endpoint: EndpointRow, now: number): Promise<EndpointRow> {
  const { id, url, types, description, enabled, disabled_reason, failing_since } = endpoint;
  const state = [enabled, disabled_reason, failing_since] as const;
  return (await tx.get(UPDATE, id, url, types, description, ...state, now))!;
}

const SET_NEXT = sql('update webhook_endpoints set next_number = $2 where id = $1');

/** Sets the number of the next event that the endpoint receives. */
export async function setNextNumber(tx: Tx, id: string, number: number): Promise<void> {
  await tx.run(SET_NEXT, id, number);
}

const ROTATE = sql<EndpointRow>(`
  update webhook_endpoints
  set secret = $2, previous_secret = $3, previous_secret_until = $4, updated_at = $5, version = version + 1
  where id = $1 returning ${COLUMNS}`);

export interface SecretRotation {
  /** Encrypted. */
  readonly secret: Uint8Array;
  /** The replaced secret, encrypted, if deliveries are still signed with it. */
  readonly previous: { readonly secret: Uint8Array; readonly until: number } | null;
  readonly now: number;
}

/** Replaces the secrets of an endpoint that the transaction has locked, and returns it. */
export async function writeSecrets(tx: Tx, id: string, rotation: SecretRotation): Promise<EndpointRow> {
  const { secret, previous, now } = rotation;
  const values = [secret, previous?.secret ?? null, previous?.until ?? null, now] as const;
  return (await tx.get(ROTATE, id, ...values))!;
}

const SECRETS = sql<{ secret: Uint8Array; previous_secret: Uint8Array | null }>(`
  select secret, case when previous_secret_until > $2 then previous_secret end as previous_secret
  from webhook_endpoints where id = $1`);

/** Returns the encrypted secrets that are valid at `now`, the newest first; none for an unknown endpoint. */
export async function findSecrets(reader: Reader, id: string, now: number): Promise<Uint8Array[]> {
  const row = await reader.get(SECRETS, id, now);
  if (row === undefined) return [];
  return row.previous_secret === null ? [row.secret] : [row.secret, row.previous_secret];
}

const DELETE = sql('delete from webhook_endpoints where id = $1');

export async function deleteEndpointRow(tx: Tx, id: string): Promise<void> {
  await tx.run(DELETE, id);
}
