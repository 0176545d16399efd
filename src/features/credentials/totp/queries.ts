import { type Reader, sql, type Tx } from '../../../database/database.ts';

/** The authenticator app of a credential. */
export interface TotpRow {
  /** Encrypted. */
  readonly secret: Uint8Array;
  /** Number of the time step whose code was accepted last; 0 before the first one. */
  readonly last_step: number;
}

const FIND = sql<TotpRow>('select secret, last_step from credential_totp where credential_id = $1');

/** Returns the app, also one that is not confirmed yet. */
export function findTotp(reader: Reader, credentialId: string): Promise<TotpRow | undefined> {
  return reader.get(FIND, credentialId);
}

const WRITE_SECRET = sql(`
  insert into credential_totp (credential_id, secret, last_step) values ($1, $2, 0)
  on conflict (credential_id) do update set secret = excluded.secret, last_step = 0`);

/** Stores the secret of a new app, which is not confirmed yet. */
export async function writeTotpSecret(tx: Tx, credentialId: string, secret: Uint8Array): Promise<void> {
  await tx.run(WRITE_SECRET, credentialId, secret);
}

const USE_STEP = sql(
  'update credential_totp set last_step = $2 where credential_id = $1 and last_step < cast($2 as bigint)',
);

/** Stores the step of an accepted code. Returns whether it is later than that of the last one. */
export async function useTotpStep(tx: Tx, credentialId: string, step: number): Promise<boolean> {
  return (await tx.run(USE_STEP, credentialId, step)) === 1;
}

const ENABLE = sql('update credentials set totp_enabled_at = $2 where id = $1');

/** Demands codes of the stored app from now on. */
export async function enableTotp(tx: Tx, credentialId: string, now: number): Promise<void> {
  await tx.run(ENABLE, credentialId, now);
}

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

const USE_CODE = sql('delete from credential_recovery_codes where credential_id = $1 and hash = $2');

/** Deletes a recovery code. Returns whether there was one with this hash. */
export async function useRecoveryCode(tx: Tx, credentialId: string, hash: string): Promise<boolean> {
  return (await tx.run(USE_CODE, credentialId, hash)) === 1;
}

const COUNT_CODES = sql<{ codes: number }>(
  'select count(*) as codes from credential_recovery_codes where credential_id = $1',
);

/** Returns the number of recovery codes that were not used. */
export async function countRecoveryCodes(reader: Reader, credentialId: string): Promise<number> {
  return (await reader.get(COUNT_CODES, credentialId))!.codes;
}
