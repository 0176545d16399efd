import type { Reader, Tx } from '../../database/database.ts';
import { prepareAll, prepareGet, prepareRun, prepareTable, prepareValue } from '../../database/prepare.ts';
import type { RecordStore } from '../records/change-record.ts';
import type { ProviderRow } from './provider.ts';
import { listChanges } from './rules.ts';

const table = prepareTable<ProviderRow>('identity_providers', [
  ...(['id', 'name', 'kind', 'issuer', 'client_id', 'client_secret', 'scopes', 'trust_email'] as const),
  ...(['enabled', 'created_at', 'updated_at', 'version'] as const),
]);
export const {
  list: listProviders,
  find: findProvider,
  insert: insertProvider,
  count: countProviders,
} = table;

export const providerStore: RecordStore<ProviderRow> = {
  kind: 'identity_provider',
  ...table,
  listChanges,
  getDetails: ({ name }) => ({ name }),
};

/** Returns the providers with which people can sign in. */
export const listEnabledProviders = async (reader: Reader) =>
  (await listProviders(reader)).filter(({ enabled }) => enabled === 1);

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
