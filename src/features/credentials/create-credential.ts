/** Creates a credential with a new secret. */
import type { AdminScope } from '../../callers/admin-scopes.ts';
import type { AdminCredential } from '../../callers/callers.ts';
import type { Tx } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { getFirstCharacters, hashToken, newCredential } from '../../lib/secrets/tokens.ts';
import type { Clock } from '../../lib/time.ts';
import { Problem } from '../../problems/problem.ts';
import { lockCredentials } from './credential-caller.ts';
import {
  type CredentialRow,
  countCredentials,
  insertCredential,
  insertSecret,
  isNameTaken,
} from './queries.ts';
import { recordCredentialEvent } from './record-credential-event.ts';
import {
  MAX_CREDENTIALS,
  nameTaken,
  parseExpiry,
  toNameKey,
  toStoredNetworks,
  toStoredScopes,
} from './rules.ts';

export interface CredentialDeps {
  readonly clock: Clock;
}

export interface CredentialWithSecret {
  readonly credential: CredentialRow;
  /** Not stored: it is returned only once. */
  readonly secret: string;
}

/**
 * The expiry is RFC 3339, the networks may be addresses; null: it does not expire, or may be used from everywhere.
 * @throws Problem validation_failed, credential_name_taken, too_many_credentials, unauthorized
 */
export async function createCredential(
  { clock }: CredentialDeps,
  tx: Tx,
  {
    caller,
    name,
    scopes,
    expiresAt,
    networks,
  }: {
    caller: AdminCredential;
    name: string;
    scopes: readonly AdminScope[];
    expiresAt: string | null;
    networks: readonly string[] | null;
  },
): Promise<CredentialWithSecret> {
  const now = clock();
  const nameKey = toNameKey(name);
  const settings = {
    name,
    nameKey,
    scopes: toStoredScopes(scopes),
    networks: toStoredNetworks(networks),
    expires_at: parseExpiry(expiresAt, now),
  };
  await lockCredentials(tx, caller, now);
  if (await isNameTaken(tx, nameKey)) throw nameTaken();
  if ((await countCredentials(tx)) >= MAX_CREDENTIALS) throw new Problem('too_many_credentials');
  const id = newId();
  const secret = newCredential();
  const first_characters = getFirstCharacters(secret);
  const credential = (await insertCredential(tx, { ...settings, id, first_characters, now }))!;
  await insertSecret(tx, hashToken(secret), id);
  const details = { scopes: settings.scopes };
  await recordCredentialEvent(tx, { id, name }, { type: 'credential.created', details, now });
  return { credential, secret };
}
