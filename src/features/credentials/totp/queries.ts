import { sql, type Tx } from '../../../database/database.ts';
import { prepareChange, prepareGet, prepareRun, prepareValue } from '../../../database/prepare.ts';

/** The authenticator app of a credential. */
export interface TotpRow {
  /** Encrypted. */
  readonly secret: Uint8Array;
  /** Number of the time step whose code was accepted last; 0 before the first one. */
  readonly last_step: number;
}

/** Returns the app, also one that is not confirmed yet. */
export const findTotp = prepareGet<TotpRow, [credentialId: string]>(
  'select secret, last_step from credential_totp where credential_id = $1',
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

const DISABLE = sql('update credentials set totp_enabled_at = null where id = $1');
const DELETE = sql('delete from credential_totp where credential_id = $1');
const DELETE_CODES = sql('delete from credential_recovery_codes where credential_id = $1');

/** Deletes the app and the recovery codes of a credential. */
export async function deleteTotp(tx: Tx, credentialId: string): Promise<void> {
  await tx.run(DISABLE, credentialId);
  await tx.run(DELETE, credentialId);
  await tx.run(DELETE_CODES, credentialId);
}

const INSERT_CODE = sql('insert into credential_recovery_codes (credential_id, hash) values ($1, $2)');

/** Replaces the recovery codes of a credential by those with these hashes. */
export async function replaceRecoveryCodes(
  tx: Tx,
  credentialId: string,
  hashes: readonly string[],
): Promise<void> {
  await tx.run(DELETE_CODES, credentialId);
  for (const hash of hashes) await tx.run(INSERT_CODE, credentialId, hash);
}

/** Deletes a recovery code. Returns whether there was one with this hash. */
export const useRecoveryCode = prepareChange<[credentialId: string, hash: string]>(
  'delete from credential_recovery_codes where credential_id = $1 and hash = $2',
);

/** Returns the number of recovery codes that were not used. */
export const countRecoveryCodes = prepareValue<number, [credentialId: string]>(
  'select count(*) as codes from credential_recovery_codes where credential_id = $1',
);
