import type { Tx } from '../../../database/database.ts';
import { prepareExists, prepareRun } from '../../../database/prepare.ts';
import { Problem } from '../../../problems/problem.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import { getRpId, type RelyingParty } from './relying-party.ts';

const hasWayIn = prepareExists<{ userId: string; hasPasswords: number; rpId: string | null }>(`
  select 1 as one from users where id = $userId and (($hasPasswords = 1 and password_hash is not null)
    or exists (select 1 from identities where user_id = $userId
      and issuer in (select issuer from identity_providers where enabled = 1))
    or (email_verified_at is not null
      and exists (select 1 from passkeys where user_id = $userId and rp_id = $rpId)))`);

/**
 * Verifies that a user can sign in in a way that works and that the settings allow: by a password, an identity, or, with a
 * verified email, a passkey. @throws Problem last_way_in
 */
export async function requireWayIn(
  deps: { readonly settings: CurrentSettingsSource; readonly relyingParty: RelyingParty | null },
  tx: Tx,
  userId: string,
): Promise<void> {
  const hasPasswords = Number(deps.settings.current.passwordSignIn);
  if (!(await hasWayIn(tx, { userId, hasPasswords, rpId: getRpId(deps) }))) throw new Problem('last_way_in');
}

/** Deletes all passkeys of a user. */
export const deletePasskeysOfUser = prepareRun<[userId: string]>('delete from passkeys where user_id = $1');
