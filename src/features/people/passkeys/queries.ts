import type { Tx } from '../../../database/database.ts';
import { prepareAll, prepareGet, prepareRun, prepareValue } from '../../../database/prepare.ts';
import type { PasskeyRow } from './passkey.ts';

const NAMES = [
  ...['id', 'user_id', 'credential_id', 'public_key', 'rp_id', 'counter', 'transports', 'aaguid', 'name'],
  ...['backup_eligible', 'backed_up', 'created_at', 'last_used_at'],
];
const COLUMNS = NAMES.map((name) => `passkeys.${name}`).join(', ');

/** Stores a passkey, unless its credential is stored already: then returns 0. */
export const insertPasskey = prepareRun<PasskeyRow>(`
  insert into passkeys (${NAMES.join(', ')}) values (${NAMES.map((name) => `$${name}`).join(', ')})
  on conflict do nothing`);

/** Returns the passkeys of a user, oldest first. */
export const listPasskeys = prepareAll<PasskeyRow, [userId: string]>(
  `select ${COLUMNS} from passkeys where user_id = $1 order by id`,
);

/** `handle`: that of its user. */
export const findByCredentialId = prepareGet<
  PasskeyRow & { readonly handle: string },
  [credentialId: string]
>(`
  select ${COLUMNS}, handle from passkeys join passkey_handles on passkey_handles.user_id = passkeys.user_id
  where credential_id = $1`);

/** Records a sign-in. Returns the counter before; undefined if the passkey was removed meanwhile. */
export async function recordPasskeyUse(
  tx: Tx,
  use: Pick<PasskeyRow, 'id' | 'counter' | 'backup_eligible' | 'backed_up'> & { readonly now: number },
): Promise<number | undefined> {
  const before = await findCounter(tx, use.id);
  if (before !== undefined) await updateUse(tx, use);
  return before?.counter;
}

const findCounter = prepareGet<Pick<PasskeyRow, 'counter'>, [id: string], Tx>(
  'select counter from passkeys where id = $1',
);
const updateUse = prepareRun<
  Pick<PasskeyRow, 'id' | 'counter' | 'backup_eligible' | 'backed_up'> & { readonly now: number }
>(`
  update passkeys set counter = $counter, backup_eligible = $backup_eligible, backed_up = $backed_up,
    last_used_at = $now
  where id = $id`);

type OwnPasskey = Pick<PasskeyRow, 'id'> & { readonly userId: string };

/** Returns the passkey with its new name; undefined if the user has no such one. */
export const updateName = prepareGet<PasskeyRow, OwnPasskey & { readonly name: string }, Tx>(
  `update passkeys set name = $name where id = $id and user_id = $userId returning ${COLUMNS}`,
);

export const deletePasskey = prepareRun<OwnPasskey>(
  'delete from passkeys where id = $id and user_id = $userId',
);

/** Returns the handle of a user, which is `handle` if there was none. */
export const keepHandle = prepareValue<string, { userId: string; handle: string }, Tx>(`
  insert into passkey_handles (user_id, handle) values ($userId, $handle)
  on conflict (user_id) do update set handle = passkey_handles.handle returning handle`);

interface ChallengeRow {
  readonly hash: string;
  readonly purpose: 'sign_in' | 'add';
  /** The user who adds a passkey, or has the address that was given; null: none was. */
  readonly user_id: string | null;
  /** Hash of the cookie of the browser; empty for programs. */
  readonly binding: string;
  readonly expires_at: number;
}

export const insertChallenge = prepareRun<ChallengeRow>(`
  insert into passkey_challenges (hash, purpose, user_id, binding, expires_at)
  values ($hash, $purpose, $user_id, $binding, $expires_at)`);

/** Deletes and returns the challenge, if it can be used. */
export const takeChallenge = prepareGet<
  Pick<ChallengeRow, 'user_id'>,
  Pick<ChallengeRow, 'hash' | 'purpose' | 'binding'> & { readonly now: number },
  Tx
>(`
  delete from passkey_challenges
  where hash = $hash and purpose = $purpose and binding = $binding and expires_at > $now
  returning user_id`);

/** Deletes challenges that have expired at `now`; returns their number. */
export const deleteExpiredPasskeyChallenges = prepareRun<[now: number, limit: number]>(`
  delete from passkey_challenges where hash in (
    select hash from passkey_challenges where expires_at <= $1 order by expires_at limit $2)`);

/** Returns a domain before or after this one to which passkeys belong. */
export const findOtherRpId = prepareGet<Pick<PasskeyRow, 'rp_id'>, [rpId: string]>(`
  select rp_id from (
    select min(rp_id) as rp_id from passkeys where rp_id < $1
    union all select min(rp_id) as rp_id from passkeys where rp_id > $1) as others
  where rp_id is not null`);
