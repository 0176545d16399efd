/** Creates the recovery codes of a credential. */
import type { Tx } from '../../../database/database.ts';
import { replaceRecoveryCodes } from '../../credentials/totp/queries.ts';
import { hashRecoveryCode, newRecoveryCodes } from '../../credentials/totp/recovery-codes.ts';

/** Replaces those before. Returns the codes, of which only hashes are stored. */
export async function issueRecoveryCodes(tx: Tx, credentialId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(
    tx,
    credentialId,
    codes.map((code) => hashRecoveryCode(code)!),
  );
  return codes;
}
