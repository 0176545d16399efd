/** Creates, changes and deletes endpoints, and rotates their secrets, which sign deliveries. */
import { randomBytes } from 'node:crypto';
import type { DatabaseDeps, Tx } from '../../database/database.ts';
import { lockSetting } from '../../database/settings.ts';
import type { AddressPolicy } from '../../lib/outbound/address-policy.ts';
import { createSeal, type SecretSeal, tryUnseal } from '../../lib/secrets/encryption.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { type Clock, DAY } from '../../lib/time.ts';
import { Problem } from '../../problems/problem.ts';
import { readChain } from '../events/queries.ts';
import { recordEvent } from '../events/record-event.ts';
import {
  changeRecord,
  deleteInBatches,
  deleteRecord,
  type ExpectedRecord,
  lockRecord,
} from '../records/change-record.ts';
import { deleteNextDeliveries } from './housekeeping/queries.ts';
import * as queries from './queries.ts';
import {
  applyChanges,
  type EndpointChanges,
  type EndpointSettings,
  formatEndpointSubject,
  normalizeUrl,
} from './rules.ts';
import { type EndpointRow, type EndpointWithSecret, MAX_ENDPOINTS } from './webhook.ts';

export interface CreateEndpointDeps {
  readonly clock: Clock;
  readonly webhookSecrets: SecretSeal;
}

/** The endpoint receives the events that are numbered from now on, without that of its own creation. @throws Problem too_many_webhooks */
export async function createEndpoint(
  { clock, webhookSecrets }: CreateEndpointDeps,
  tx: Tx,
  settings: EndpointSettings,
): Promise<EndpointWithSecret> {
  // While endpoints are counted.
  await lockSetting(tx, 'webhook_endpoints');
  if ((await queries.countEndpoints(tx)) >= MAX_ENDPOINTS) throw new Problem('too_many_webhooks');
  const id = newId();
  const secret = newSecret();
  const sealed = webhookSecrets.seal(id, secret);
  const now = clock();
  await recordEvent(tx, { type: 'webhook.created', subject: formatEndpointSubject(id), now });
  const next_number = (await readChain(tx)).number + 1;
  const times = { previous_secret_until: null, created_at: now, updated_at: now };
  const endpoint = { ...settings, ...times, id, version: 1 };
  await queries.insertEndpoint(tx, { ...endpoint, secret: sealed, next_number });
  return { endpoint, secret };
}

/** Time in which receivers learn the new secret. */
const OVERLAP_MS = DAY;

/** @throws Problem webhook_not_found */
export async function rotateSecret(
  { clock, webhookSecrets }: CreateEndpointDeps,
  tx: Tx,
  id: string,
): Promise<EndpointWithSecret> {
  await lockRecord(tx, queries.webhookStore, id);
  const now = clock();
  const [replaced] = await queries.findSecrets(tx, id, now);
  // A secret that was encrypted by a SECRET_KEY that is lost signs nothing any more.
  const isReadable = replaced !== undefined && tryUnseal(webhookSecrets, id, replaced) !== null;
  const secret = newSecret();
  await recordEvent(tx, { type: 'webhook.secret_rotated', subject: formatEndpointSubject(id), now });
  const previous = isReadable ? replaced : null;
  const previousUntil = isReadable ? now + OVERLAP_MS : null;
  const rotation = { id, secret: webhookSecrets.seal(id, secret), previous, previousUntil, now };
  return { endpoint: (await queries.writeSecrets(tx, rotation))!, secret };
}

export interface UpdateEndpointDeps extends DatabaseDeps {
  readonly webhookAddresses: AddressPolicy;
}

/** @throws Problem webhook_not_found, precondition_failed, validation_failed */
export function updateEndpoint(
  deps: UpdateEndpointDeps,
  expected: ExpectedRecord,
  { url, ...others }: EndpointChanges,
): Promise<EndpointRow> {
  const changes = url === undefined ? others : { ...others, url: normalizeUrl(url, deps.webhookAddresses) };
  const change = async (before: EndpointRow, tx: Tx) => {
    const after = applyChanges(before, changes);
    // Events of the time in which it was disabled are sent by a replay only: they may be more than anybody expects.
    const isEnabledAgain = before.enabled === 0 && after.enabled === 1;
    if (isEnabledAgain) await queries.setNextNumber(tx, before.id, (await readChain(tx)).number + 1);
    return after;
  };
  return changeRecord(deps, queries.webhookStore, { ...expected, change });
}

/**
 * Deletes an endpoint, then its deliveries in batches; after an interruption, the housekeeping deletes the rest.
 * @throws Problem webhook_not_found, precondition_failed
 */
export async function deleteEndpoint(deps: DatabaseDeps, expected: ExpectedRecord): Promise<void> {
  await deleteRecord(deps, queries.webhookStore, expected);
  await deleteInBatches(deps.database, (tx, limit) => deleteNextDeliveries(tx, expected.id, limit));
}

/** Creates the encryption of secrets, each bound to the id of its endpoint. */
export const createSecretSeal = (secretKey: string): SecretSeal => createSeal(secretKey, 'webhook-secrets');

/** The specification of Standard Webhooks recommends 24 to 64 bytes. */
const SECRET_BYTES = 32;

export const newSecret = (): Uint8Array => randomBytes(SECRET_BYTES);

/** Returns the secret as Standard Webhooks write it. */
export const formatSecret = (secret: Uint8Array): string => `whsec_${Buffer.from(secret).toString('base64')}`;
