import type { Tx } from '../../../database/database.ts';
import { prepareChange, prepareGet, prepareRun, prepareValue } from '../../../database/prepare.ts';

/** Returns the encrypted secret of the authenticator app, also of one that is not confirmed yet. */
export const findTotp = prepareGet<{ secret: Uint8Array }, [credentialId: string]>(
  'select secret from credential_totp where credential_id = $1',
);

/** Stores the secret of a new app, which is not confirmed yet. */
export const writeTotpSecret = prepareRun<[credentialId: string, secret: Uint8Array]>(`
  insert into credential_totp (credential_id, secret, last_step) values ($1, $2, 0)
  on conflict (credential_id) do update set secret = excluded.secret, last_step = 0`);

/** Stores the step of an accepted code. Returns whether it is later than that of the last one. */
export const useTotpStep = prepareChange<[credentialId: string, step: number]>(
  'update credential_totp set last_step = $2 where credential_id = $1 and last_step < cast($2 as bigint)',
);

/** Demands codes of the stored app from now on. */
export const enableTotp = prepareRun<[credentialId: string, now: number]>(
  'update credentials set totp_enabled_at = $2 where id = $1',
);

const disable = prepareRun<[id: string]>('update credentials set totp_enabled_at = null where id = $1');
const deleteApp = prepareRun<[id: string]>('delete from credential_totp where credential_id = $1');
const deleteCodes = prepareRun<[id: string]>(
  'delete from credential_recovery_codes where credential_id = $1',
);

/** Deletes the app and the recovery codes of a credential. */
export async function deleteTotp(tx: Tx, credentialId: string): Promise<void> {
  await disable(tx, credentialId);
  await deleteApp(tx, credentialId);
  await deleteCodes(tx, credentialId);
}

const insertCode = prepareRun<[credentialId: string, hash: string]>(
  'insert into credential_recovery_codes (credential_id, hash) values ($1, $2)',
);

/** Replaces the recovery codes of a credential by those with these hashes. */
export async function replaceRecoveryCodes(
  tx: Tx,
  credentialId: string,
  hashes: readonly string[],
): Promise<void> {
  await deleteCodes(tx, credentialId);
  for (const hash of hashes) await insertCode(tx, credentialId, hash);
}

/** Deletes a recovery code. Returns whether there was one with this hash. */
export const useRecoveryCode = prepareChange<[credentialId: string, hash: string]>(
  'delete from credential_recovery_codes where credential_id = $1 and hash = $2',
);

/** Returns the number of recovery codes that were not used. */
export const countRecoveryCodes = prepareValue<number, [credentialId: string]>(
  'select count(*) as codes from credential_recovery_codes where credential_id = $1',
);
