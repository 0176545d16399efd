/** Changes the settings of an endpoint. */
import type { Database, Tx } from '../../database/database.ts';
import type { AddressPolicy } from '../../lib/outbound/address-policy.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { Problem } from '../../problems/problem.ts';
import { readChain } from '../events/queries.ts';
import { recordEvent } from '../events/record-event.ts';
import { checkVersion, type VersionCheck } from '../users/records/rules.ts';
import { type EndpointRow, lockEndpoint, setNextNumber, updateEndpointRow } from './queries.ts';
import {
  applyChanges,
  type EndpointChanges,
  endpointSubject,
  isUnchanged,
  listChanges,
  normalizeUrl,
} from './rules.ts';

export interface UpdateEndpointDeps {
  readonly database: Database;
  readonly clock: Clock;
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
    return isUnchanged(before, after) ? before : storeUpdate(tx, before, { after, now: deps.clock() });
  });
}

async function storeUpdate(
  tx: Tx,
  before: EndpointRow,
  { after, now }: { readonly after: EndpointRow; readonly now: number },
): Promise<EndpointRow> {
  // Events of the time in which it was disabled are sent by a replay only: they may be more than anybody expects.
  const isEnabledAgain = before.enabled === 0 && after.enabled === 1;
  if (isEnabledAgain) await setNextNumber(tx, before.id, (await readChain(tx)).number + 1);
  const subject = endpointSubject(before.id);
  await recordEvent(tx, { type: 'webhook.updated', subject, changes: listChanges(before, after), now });
  return (await updateEndpointRow(tx, { ...after, updated_at: now }))!;
}

async function lockExpected(tx: Tx, id: string, isExpected: VersionCheck): Promise<EndpointRow> {
  const endpoint = await lockEndpoint(tx, id);
  if (endpoint === undefined) throw new Problem('webhook_not_found');
  checkVersion(endpoint, isExpected);
  return endpoint;
}
