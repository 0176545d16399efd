/** Creates credentials, replaces their secrets and revokes them. */
import type { AdminScope } from '../../callers/admin-scopes.ts';
import type { AdminCredential } from '../../callers/callers.ts';
import type { DatabaseDeps, Tx } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { getFirstCharacters, hashToken, newCredential } from '../../lib/secrets/tokens.ts';
import { Problem } from '../../problems/problem.ts';
import { type NewEvent, recordEvent } from '../events/record-event.ts';
import type { CredentialWithSecret } from './credential.ts';
import { lockCredentials } from './credential-caller.ts';
import * as queries from './queries.ts';
import * as rules from './rules.ts';

/**
 * The expiry is RFC 3339, the networks may be addresses; null: it does not expire, or may be used from everywhere.
 * @throws Problem validation_failed, credential_name_taken, too_many_credentials, unauthorized
 */
export async function createCredential(
  { clock }: Pick<DatabaseDeps, 'clock'>,
  tx: Tx,
  given: {
    readonly caller: AdminCredential;
    readonly name: string;
    readonly scopes: readonly AdminScope[];
    readonly expiresAt: string | null;
    readonly networks: readonly string[] | null;
  },
): Promise<CredentialWithSecret> {
  const now = clock();
  const { caller, name } = given;
  const nameKey = rules.toNameKey(name);
  const settings = {
    name,
    nameKey,
    scopes: rules.toStoredScopes(given.scopes),
    networks: rules.toStoredNetworks(given.networks),
    expires_at: rules.parseExpiry(given.expiresAt, now),
  };
  await lockCredentials(tx, caller, now);
  if (await queries.isNameTaken(tx, nameKey)) throw rules.nameTaken();
  if ((await queries.countCredentials(tx)) >= rules.MAX_CREDENTIALS)
    throw new Problem('too_many_credentials');
  const id = newId();
  const secret = newCredential();
  const first_characters = getFirstCharacters(secret);
  const credential = (await queries.insertCredential(tx, { ...settings, id, first_characters, now }))!;
  await queries.insertSecret(tx, hashToken(secret), id);
  const details = { scopes: settings.scopes };
  await recordCredentialEvent(tx, { id, name }, { type: 'credential.created', details, now });
  return { credential, secret };
}

/**
 * Replaces the secret. The replaced one stays valid for the overlap, and a rotation within the overlap of the last one ends the validity of the oldest of the three secrets at once.
 * @throws Problem credential_not_found, credential_expired, unauthorized
 */
export async function rotateCredential(
  { clock }: Pick<DatabaseDeps, 'clock'>,
  tx: Tx,
  { caller, id, overlapSeconds }: { caller: AdminCredential; id: string; overlapSeconds: number },
): Promise<CredentialWithSecret> {
  const now = clock();
  await lockCredentials(tx, caller, now);
  const before = await queries.findCredential(tx, id);
  if (before === undefined) throw new Problem('credential_not_found');
  if (before.expires_at !== null && before.expires_at <= now) throw new Problem('credential_expired');
  const secret = newCredential();
  const credential = await queries.replaceSecret(tx, {
    id,
    secretHash: hashToken(secret),
    firstCharacters: getFirstCharacters(secret),
    previousUntil: overlapSeconds === 0 ? null : now + overlapSeconds * 1000,
    now,
  });
  const details = { overlap_seconds: overlapSeconds };
  await recordCredentialEvent(tx, credential, { type: 'credential.rotated', details, now });
  return { credential, secret };
}

/** Revokes a credential: no node accepts it after the commit. @throws Problem credential_not_found, unauthorized */
export async function revokeCredential(
  { database, clock }: DatabaseDeps,
  caller: AdminCredential,
  id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    const now = clock();
    await lockCredentials(tx, caller, now);
    const credential = await queries.findCredential(tx, id);
    if (credential === undefined) throw new Problem('credential_not_found');
    await queries.deleteCredential(tx, id);
    await recordCredentialEvent(tx, credential, { type: 'credential.revoked', now });
  });
}

/** Records an event of the credential, with its name and further details. */
export function recordCredentialEvent(
  tx: Tx,
  { id, name }: { readonly id: string; readonly name: string },
  { details, ...event }: Omit<NewEvent, 'subject'>,
): Promise<void> {
  return recordEvent(tx, { ...event, subject: `credential:${id}`, details: { name, ...details } });
}
