import type { Tx } from '../../../database/database.ts';
import { prepareExists, prepareRun } from '../../../database/prepare.ts';
import { Problem } from '../../../problems/problem.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import { isDelivered, type MailSettings } from '../../mail/settings.ts';
import { getRpId, type RelyingParty } from './relying-party.ts';

type Ways = { userId: string; hasPasswords: number; hasCodes: number; rpId: string | null };

const hasWayIn = prepareExists<Ways>(`
  select 1 as one from users where id = $userId and (($hasPasswords = 1 and password_hash is not null)
    or ($hasCodes = 1 and email_verified_at is not null)
    or exists (select 1 from identities where user_id = $userId
      and issuer in (select issuer from identity_providers where enabled = 1))
    or (email_verified_at is not null
      and exists (select 1 from passkeys where user_id = $userId and rp_id = $rpId)))`);

/**
 * Verifies that a user can sign in in a way that works and that the settings allow: by a password, an identity, or, with a
 * verified email, a mailed code or a passkey. @throws Problem last_way_in
 */
export async function requireWayIn(
  deps: {
    readonly settings: CurrentSettingsSource;
    readonly mail: MailSettings;
    readonly relyingParty: RelyingParty | null;
  },
  tx: Tx,
  userId: string,
): Promise<void> {
  const { passwordSignIn, emailCodeSignIn } = deps.settings.current;
  const hasPasswords = Number(passwordSignIn);
  const hasCodes = Number(emailCodeSignIn && isDelivered(deps.mail));
  if (!(await hasWayIn(tx, { userId, hasPasswords, hasCodes, rpId: getRpId(deps) })))
    throw new Problem('last_way_in');
}

const deletePasskeys = prepareRun<[userId: string]>('delete from passkeys where user_id = $1');

const deleteIdentities = prepareRun<[userId: string]>('delete from identities where user_id = $1');
const deleteNetworks = prepareRun<[userId: string]>('delete from known_networks where user_id = $1');
const deletePassword = prepareRun<[userId: string]>('update users set password_hash = null where id = $1');

/** Deletes identities, passkeys and known networks of a user. */
export async function deleteAddedWaysIn(tx: Tx, userId: string): Promise<void> {
  await deleteIdentities(tx, userId);
  await deletePasskeys(tx, userId);
  await deleteNetworks(tx, userId);
}

/** Deletes the password as well. */
export async function deleteWaysIn(tx: Tx, userId: string): Promise<void> {
  await deletePassword(tx, userId);
  await deleteAddedWaysIn(tx, userId);
}
