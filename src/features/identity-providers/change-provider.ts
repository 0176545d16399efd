/** Creates, changes and deletes identity providers. */
import type { DatabaseDeps, Tx } from '../../database/database.ts';
import { lockSetting } from '../../database/settings.ts';
import type { AddressPolicy } from '../../lib/outbound/address-policy.ts';
import type { SecretSeal } from '../../lib/secrets/encryption.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { Problem } from '../../problems/problem.ts';
import { recordEvent } from '../events/record-event.ts';
import { checkVersion, type VersionCheck } from '../users/records/rules.ts';
import {
  countProviders,
  deleteProviderRow,
  insertProvider,
  lockProvider,
  type ProviderRow,
  updateProviderRow,
} from './queries.ts';
import {
  applyChanges,
  formatProviderSubject,
  listChanges,
  type ProviderChanges,
  type ProviderSettings,
} from './rules.ts';

export interface ProviderDeps extends DatabaseDeps {
  readonly webhookAddresses: AddressPolicy;
  readonly providerSecrets: SecretSeal;
}

export const MAX_PROVIDERS = 10;
/** The row that is locked while providers are counted. */
const LOCK_NAME = 'identity_providers';

/** @throws Problem too_many_identity_providers */
export async function createProvider(
  { clock, providerSecrets }: ProviderDeps,
  tx: Tx,
  { settings, secret }: { readonly settings: ProviderSettings; readonly secret: string },
): Promise<ProviderRow> {
  await lockSetting(tx, LOCK_NAME);
  if ((await countProviders(tx)) >= MAX_PROVIDERS) throw new Problem('too_many_identity_providers');
  const [id, now] = [newId(), clock()];
  const client_secret = providerSecrets.seal(id, Buffer.from(secret));
  const row = { ...settings, id, client_secret, created_at: now, updated_at: now, version: 1 };
  await insertProvider(tx, row);
  const event = { type: 'identity_provider.created', subject: formatProviderSubject(id) } as const;
  await recordEvent(tx, { ...event, details: { name: settings.name }, now });
  return row;
}

export interface ProviderUpdate {
  readonly id: string;
  readonly changes: ProviderChanges;
  readonly isExpected: VersionCheck;
}

/**
 * Returns the provider after the change. Changes without effect keep the version.
 * @throws Problem identity_provider_not_found, precondition_failed, validation_failed
 */
export function updateProvider(
  { database, clock, webhookAddresses, providerSecrets }: ProviderDeps,
  { id, changes: { client_secret: secret, ...changes }, isExpected }: ProviderUpdate,
): Promise<ProviderRow> {
  return database.transaction(async (tx) => {
    const before = await lockExpected(tx, id, isExpected);
    const after = applyChanges(before, changes, webhookAddresses);
    const changed = [
      ...listChanges(before, after),
      ...(secret === undefined ? [] : [{ name: 'client_secret' }]),
    ];
    if (changed.length === 0) return before;
    const now = clock();
    const client_secret =
      secret === undefined ? before.client_secret : providerSecrets.seal(id, Buffer.from(secret));
    const row = { ...after, client_secret, updated_at: now, version: before.version + 1 };
    await updateProviderRow(tx, row);
    const event = { type: 'identity_provider.updated', subject: formatProviderSubject(id) } as const;
    await recordEvent(tx, { ...event, changes: changed, now });
    return row;
  });
}

async function lockExpected(tx: Tx, id: string, isExpected: VersionCheck): Promise<ProviderRow> {
  const provider = await lockProvider(tx, id);
  if (provider === undefined) throw new Problem('identity_provider_not_found');
  checkVersion(provider, isExpected);
  return provider;
}

/** Identities stay: they are those of the issuer. @throws Problem identity_provider_not_found, precondition_failed */
export async function deleteProvider(
  { database, clock }: DatabaseDeps,
  id: string,
  isExpected: VersionCheck,
): Promise<void> {
  await database.transaction(async (tx) => {
    const { name } = await lockExpected(tx, id, isExpected);
    await deleteProviderRow(tx, id);
    const event = { type: 'identity_provider.deleted', subject: formatProviderSubject(id) } as const;
    await recordEvent(tx, { ...event, details: { name }, now: clock() });
  });
}
