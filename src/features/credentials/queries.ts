import type { Tx } from '../../database/database.ts';
import { prepareAll, prepareExists, prepareGet, prepareRun, prepareValue } from '../../database/prepare.ts';
import type { CredentialRow } from './credential.ts';

const COLUMNS = `id, name, scopes, networks, first_characters, created_at, expires_at, last_used_at, rotated_at,
  previous_until, totp_enabled_at`;

export interface NewCredential
  extends Pick<CredentialRow, 'id' | 'name' | 'scopes' | 'networks' | 'first_characters' | 'expires_at'> {
  /** No two credentials have the same. */
  readonly nameKey: string;
  readonly now: number;
}

/** Stores a credential without a secret, and returns it. */
export const insertCredential = prepareGet<CredentialRow, NewCredential, Tx>(`
  insert into credentials (id, name, name_key, scopes, networks, first_characters, created_at, expires_at)
  values ($id, $name, $nameKey, $scopes, $networks, $first_characters, $now, $expires_at)
  returning ${COLUMNS}`);

/** Stores the hash of a secret, which is accepted as long as the credential is valid. */
export const insertSecret = prepareRun<[hash: string, credentialId: string]>(
  'insert into credential_secrets (hash, credential_id) values ($1, $2)',
);

/** Returns all credentials, oldest first, also those that have expired. */
export const listCredentials = prepareAll<CredentialRow>(`select ${COLUMNS} from credentials order by id`);

export const countCredentials = prepareValue<number>('select count(*) as credentials from credentials');

export const findCredential = prepareGet<CredentialRow, [id: string]>(
  `select ${COLUMNS} from credentials where id = $1`,
);

export const isNameTaken = prepareExists<[nameKey: string]>('select id from credentials where name_key = $1');

export type ValidCredential = Pick<
  CredentialRow,
  'id' | 'name' | 'scopes' | 'networks' | 'expires_at' | 'last_used_at'
> & {
  /** Time until which the secret is accepted; null unless it was replaced. */
  readonly valid_until: number | null;
};

/**
 * Returns the credential that has this secret at `now`; undefined if it is unknown, replaced, revoked or expired, or has a
 * second factor, which programs cannot use.
 */
export const findValidCredential = prepareGet<ValidCredential, [secretHash: string, now: number]>(`
  select id, name, scopes, networks, expires_at, last_used_at, valid_until
  from (select credential_id, valid_until from credential_secrets
        where hash = $1 and (valid_until is null or valid_until > $2) limit 1) as secret
  join credentials on credentials.id = secret.credential_id
  where (expires_at is null or expires_at > $2) and totp_enabled_at is null`);

const deleteReplaced = prepareRun<[credentialId: string, keepsCurrent: 0 | 1]>(
  'delete from credential_secrets where credential_id = $1 and ($2 = 0 or valid_until is not null)',
);
const limitCurrent = prepareRun<[credentialId: string, validUntil: number]>(
  'update credential_secrets set valid_until = $2 where credential_id = $1',
);

export interface SecretRotation {
  readonly id: string;
  /** SHA-256 of the new secret in hex. */
  readonly secretHash: string;
  readonly firstCharacters: string;
  /** Time until which the current secret stays valid; null: it is invalid at once. */
  readonly previousUntil: number | null;
  readonly now: number;
}

const rotate = prepareGet<CredentialRow, SecretRotation, Tx>(`
  update credentials set first_characters = $firstCharacters, rotated_at = $now, previous_until = $previousUntil
  where id = $id returning ${COLUMNS}`);

/** Replaces the current secret of a credential, and returns the credential. A secret that was replaced before is deleted. */
export async function replaceSecret(tx: Tx, rotation: SecretRotation): Promise<CredentialRow> {
  const { id, secretHash, previousUntil } = rotation;
  await deleteReplaced(tx, id, previousUntil === null ? 0 : 1);
  if (previousUntil !== null) await limitCurrent(tx, id, previousUntil);
  await insertSecret(tx, secretHash, id);
  return (await rotate(tx, rotation))!;
}

/** Deletes the credential and its secrets. */
export const deleteCredential = prepareRun<[id: string]>('delete from credentials where id = $1');
