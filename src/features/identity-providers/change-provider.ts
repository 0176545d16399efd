/** Creates, changes and deletes identity providers. */
import type { DatabaseDeps, Tx } from '../../database/database.ts';
import { lockSetting } from '../../database/settings.ts';
import type { AddressPolicy } from '../../lib/outbound/address-policy.ts';
import type { SecretSeal } from '../../lib/secrets/encryption.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { Problem } from '../../problems/problem.ts';
import { addRecordEvent, changeRecord, deleteRecord, type ExpectedRecord } from '../records/change-record.ts';
import type { ProviderRow } from './provider.ts';
import { countProviders, insertProvider, providerStore } from './queries.ts';
import { applyChanges, type ProviderChanges, type ProviderSettings } from './rules.ts';

export interface ProviderDeps extends DatabaseDeps {
  readonly webhookAddresses: AddressPolicy;
  readonly providerSecrets: SecretSeal;
}

const MAX_PROVIDERS = 10;

/** @throws Problem too_many_identity_providers */
export async function createProvider(
  { clock, providerSecrets }: ProviderDeps,
  tx: Tx,
  { settings, secret }: { readonly settings: ProviderSettings; readonly secret: string },
): Promise<ProviderRow> {
  // While providers are counted.
  await lockSetting(tx, 'identity_providers');
  if ((await countProviders(tx)) >= MAX_PROVIDERS) throw new Problem('too_many_identity_providers');
  const [id, now] = [newId(), clock()];
  const client_secret = providerSecrets.seal(id, Buffer.from(secret));
  const row = { ...settings, id, client_secret, created_at: now, updated_at: now, version: 1 };
  await insertProvider(tx, row);
  await addRecordEvent(tx, providerStore, { type: 'identity_provider.created', row, now });
  return row;
}

/** @throws Problem identity_provider_not_found, precondition_failed, validation_failed */
export function updateProvider(deps: ProviderDeps, expected: ExpectedRecord, given: ProviderChanges) {
  const { webhookAddresses, providerSecrets } = deps;
  const change = (before: ProviderRow) => {
    const after = applyChanges(before, given, webhookAddresses);
    const { client_secret: secret } = given;
    if (secret === undefined) return after;
    return { ...after, client_secret: providerSecrets.seal(before.id, Buffer.from(secret)) };
  };
  return changeRecord(deps, providerStore, { ...expected, change });
}

/** Identities stay: they are those of the issuer. @throws Problem identity_provider_not_found, precondition_failed */
export function deleteProvider(deps: DatabaseDeps, expected: ExpectedRecord): Promise<void> {
  return deleteRecord(deps, providerStore, expected);
}
