import type { Reader, Tx } from '../../database/database.ts';
import { prepareAll, prepareExists, prepareGet, prepareRun, prepareValue } from '../../database/prepare.ts';

export const PROVIDER_KINDS = ['oidc', 'github'] as const;

/** Times in epoch milliseconds; `trust_email` and `enabled` are 1 or 0. */
export interface ProviderRow {
  readonly id: string;
  readonly name: string;
  readonly kind: (typeof PROVIDER_KINDS)[number];
  readonly issuer: string;
  readonly client_id: string;
  /** Encrypted, bound to the id. */
  readonly client_secret: Uint8Array;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly trust_email: number;
  readonly enabled: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly version: number;
}

const COLUMNS = `id, name, kind, issuer, client_id, client_secret, scopes, trust_email, enabled, created_at,
  updated_at, version`;

export const insertProvider = prepareRun<ProviderRow>(`
  insert into identity_providers (${COLUMNS}) values ($id, $name, $kind, $issuer, $client_id, $client_secret,
    $scopes, $trust_email, $enabled, $created_at, $updated_at, $version)`);

export const countProviders = prepareValue<number>('select count(*) as providers from identity_providers');

/** Returns all providers, oldest first. */
export const listProviders = prepareAll<ProviderRow>(`select ${COLUMNS} from identity_providers order by id`);

/** Returns the providers with which people can sign in. */
export const listEnabledProviders = async (reader: Reader) =>
  (await listProviders(reader)).filter(({ enabled }) => enabled === 1);

export const findProvider = prepareGet<ProviderRow, [id: string]>(
  `select ${COLUMNS} from identity_providers where id = $1`,
);

/** Returns the provider, which no other transaction changes until the end of this one. */
export const lockProvider = prepareGet<ProviderRow, [id: string], Tx>(
  `update identity_providers set version = version where id = $1 returning ${COLUMNS}`,
);

/** Writes the members that can be changed. */
export const updateProviderRow = prepareRun<ProviderRow>(`
  update identity_providers set name = $name, issuer = $issuer, client_id = $client_id,
    client_secret = $client_secret, scopes = $scopes, trust_email = $trust_email, enabled = $enabled,
    updated_at = $updated_at, version = $version
  where id = $id`);

export const deleteProviderRow = prepareRun<[id: string]>('delete from identity_providers where id = $1');

/** An account of a user at an issuer, with the email that it had at the last sign-in. Times in epoch milliseconds. */
export interface IdentityRow {
  readonly id: string;
  readonly user_id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly created_at: number;
  readonly last_used_at: number;
}

const IDENTITY_COLUMNS = 'id, user_id, issuer, subject, email, created_at, last_used_at';

/** Stores an identity, unless it is linked already: then returns 0. */
export const insertIdentity = prepareRun<IdentityRow>(`
  insert into identities (${IDENTITY_COLUMNS})
  values ($id, $user_id, $issuer, $subject, $email, $created_at, $last_used_at) on conflict do nothing`);

export const findIdentity = prepareGet<IdentityRow, { issuer: string; subject: string }>(
  `select ${IDENTITY_COLUMNS} from identities where issuer = $issuer and subject = $subject`,
);

/** Returns the identities of a user, oldest first. */
export const listIdentities = prepareAll<IdentityRow, [userId: string]>(
  `select ${IDENTITY_COLUMNS} from identities where user_id = $1 order by id`,
);

export const countIdentities = prepareValue<number, [userId: string]>(
  'select count(*) as identities from identities where user_id = $1',
);

export const recordIdentityUse = prepareRun<{ id: string; email: string | null; now: number }>(
  'update identities set email = $email, last_used_at = $now where id = $id',
);

export const deleteIdentity = prepareGet<IdentityRow, { id: string; userId: string }, Tx>(
  `delete from identities where id = $id and user_id = $userId returning ${IDENTITY_COLUMNS}`,
);

/** Whether the user can sign in by a password, if `hasPasswords` is 1, or by an identity whose provider is switched on. */
export const hasWayIn = prepareExists<{ userId: string; hasPasswords: number }>(`
  select 1 as one from users where id = $userId and (($hasPasswords = 1 and password_hash is not null)
    or exists (select 1 from identities where user_id = $userId
      and issuer in (select issuer from identity_providers where enabled = 1)))`);

const deleteIdentities = prepareRun<[userId: string]>('delete from identities where user_id = $1');
const deleteNetworks = prepareRun<[userId: string]>('delete from known_networks where user_id = $1');
const deletePassword = prepareRun<[userId: string]>('update users set password_hash = null where id = $1');

/** Deletes password, identities and known networks of a user. */
export async function deleteWaysIn(tx: Tx, userId: string): Promise<void> {
  await deletePassword(tx, userId);
  await deleteIdentities(tx, userId);
  await deleteNetworks(tx, userId);
}
