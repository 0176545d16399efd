/** Creates, changes and deletes identity providers. */
import type { DatabaseDeps, Tx } from '../../database/database.ts';
import { lockSetting } from '../../database/settings.ts';
import type { AddressPolicy } from '../../lib/outbound/address-policy.ts';
import type { SecretSeal } from '../../lib/secrets/encryption.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { Problem } from '../../problems/problem.ts';
import { recordEvent } from '../events/record-event.ts';
import { checkVersion, type VersionCheck } from '../users/records/rules.ts';
import * as queries from './queries.ts';
import { applyChanges, listChanges, type ProviderChanges, type ProviderSettings } from './rules.ts';

export interface ProviderDeps extends DatabaseDeps {
  readonly webhookAddresses: AddressPolicy;
  readonly providerSecrets: SecretSeal;
}

const MAX_PROVIDERS = 10;
/** The row that is locked while providers are counted. */
const LOCK_NAME = 'identity_providers';

const toSubject = (id: string) => `identity_provider:${id}`;

/** @throws Problem too_many_identity_providers */
export async function createProvider(
  { clock, providerSecrets }: ProviderDeps,
  tx: Tx,
  { settings, secret }: { readonly settings: ProviderSettings; readonly secret: string },
): Promise<queries.ProviderRow> {
  await lockSetting(tx, LOCK_NAME);
  if ((await queries.countProviders(tx)) >= MAX_PROVIDERS) throw new Problem('too_many_identity_providers');
  const [id, now] = [newId(), clock()];
  const client_secret = providerSecrets.seal(id, Buffer.from(secret));
  const row = { ...settings, id, client_secret, created_at: now, updated_at: now, version: 1 };
  await queries.insertProvider(tx, row);
  const details = { name: settings.name };
  await recordEvent(tx, { type: 'identity_provider.created', subject: toSubject(id), details, now });
  return row;
}

/**
 * Returns the provider after the change. Changes without effect keep the version.
 * @throws Problem identity_provider_not_found, precondition_failed, validation_failed
 */
export function updateProvider(
  { database, clock, webhookAddresses, providerSecrets }: ProviderDeps,
  { id, given, isExpected }: { id: string; given: ProviderChanges; isExpected: VersionCheck },
): Promise<queries.ProviderRow> {
  return database.transaction(async (tx) => {
    const before = await lockExpected(tx, id, isExpected);
    const { client_secret: secret } = given;
    const after = {
      ...applyChanges(before, given, webhookAddresses),
      ...(secret !== undefined && { client_secret: providerSecrets.seal(id, Buffer.from(secret)) }),
    };
    const changes = listChanges(before, after);
    if (changes.length === 0) return before;
    const now = clock();
    const row = { ...after, updated_at: now, version: before.version + 1 };
    await queries.updateProviderRow(tx, row);
    await recordEvent(tx, { type: 'identity_provider.updated', subject: toSubject(id), changes, now });
    return row;
  });
}

async function lockExpected(tx: Tx, id: string, isExpected: VersionCheck): Promise<queries.ProviderRow> {
  const provider = await queries.lockProvider(tx, id);
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
    await queries.deleteProviderRow(tx, id);
    const event = { type: 'identity_provider.deleted', subject: toSubject(id), details: { name } } as const;
    await recordEvent(tx, { ...event, now: clock() });
  });
}
