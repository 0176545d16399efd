/** Changes the settings of an endpoint, and deletes it, if it still has the expected version. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DatabaseDeps, Tx } from '../../database/database.ts';
import type { AddressPolicy } from '../../lib/outbound/address-policy.ts';
import { Problem } from '../../problems/problem.ts';
import { readChain } from '../events/queries.ts';
import { recordEvent } from '../events/record-event.ts';
import { checkVersion, type VersionCheck } from '../users/records/rules.ts';
import { deleteNextDeliveries } from './housekeeping/queries.ts';
import {
  deleteEndpointRow,
  type EndpointRow,
  lockEndpoint,
  setNextNumber,
  updateEndpointRow,
} from './queries.ts';
import {
  applyChanges,
  type EndpointChanges,
  formatEndpointSubject,
  listChanges,
  normalizeUrl,
} from './rules.ts';

export interface UpdateEndpointDeps extends DatabaseDeps {
  readonly webhookAddresses: AddressPolicy;
}

/**
 * Returns the endpoint after the change. Changes without effect keep the version.
 * @throws Problem webhook_not_found, precondition_failed, validation_failed
 */
export async function updateEndpoint(
  deps: UpdateEndpointDeps,
  { id, changes, isExpected }: { id: string; changes: EndpointChanges; isExpected: VersionCheck },
): Promise<EndpointRow> {
  const { url } = changes;
  const normalized =
    url === undefined ? changes : { ...changes, url: normalizeUrl(url, deps.webhookAddresses) };
  return deps.database.transaction(async (tx) => {
    const before = await lockExpected(tx, id, isExpected);
    const after = applyChanges(before, normalized);
    const changes = listChanges(before, after);
    if (changes.length === 0) return before;
    const now = deps.clock();
    // Events of the time in which it was disabled are sent by a replay only: they may be more than anybody expects.
    const isEnabledAgain = before.enabled === 0 && after.enabled === 1;
    if (isEnabledAgain) await setNextNumber(tx, id, (await readChain(tx)).number + 1);
    await recordEvent(tx, { type: 'webhook.updated', subject: formatEndpointSubject(id), changes, now });
    return (await updateEndpointRow(tx, { ...after, updated_at: now }))!;
  });
}

/** @throws Problem webhook_not_found, precondition_failed */
async function lockExpected(tx: Tx, id: string, isExpected: VersionCheck): Promise<EndpointRow> {
  const endpoint = await lockEndpoint(tx, id);
  if (endpoint === undefined) throw new Problem('webhook_not_found');
  checkVersion(endpoint, isExpected);
  return endpoint;
}

const BATCH_SIZE = 500;

/**
 * Deletes an endpoint, then its deliveries in batches; after an interruption, the housekeeping deletes the rest.
 * @throws Problem webhook_not_found, precondition_failed
 */
export async function deleteEndpoint(
  { database, clock }: DatabaseDeps,
  id: string,
  isExpected: VersionCheck = () => true,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockExpected(tx, id, isExpected);
    await deleteEndpointRow(tx, id);
    await recordEvent(tx, { type: 'webhook.deleted', subject: formatEndpointSubject(id), now: clock() });
  });
  const deleteBatch = () =>
    database.transaction((tx) => deleteNextDeliveries(tx, id, BATCH_SIZE), { isLong: true });
  while ((await deleteBatch()) === BATCH_SIZE) await nextTurn();
}
