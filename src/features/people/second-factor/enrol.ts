/** The secrets of a second factor that its user is shown once. */
import type { Tx } from '../../../database/database.ts';
import type { SecretSeal } from '../../../lib/secrets/encryption.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import {
  formatTotpSecret,
  formatTotpUri,
  hashRecoveryCode,
  newRecoveryCodes,
  newTotpSecret,
} from './codes.ts';
import { userFactors } from './queries.ts';

export interface Enrolment {
  /** The secret in base32. */
  readonly secret: string;
  /** The same for apps, as a link or a QR code. */
  readonly uri: string;
}

/** Stores the secret of a new authenticator app, instead of one that was not confirmed. `label`: name of the account. */
export async function writeNewSecret(
  { settings, totpSecrets }: { readonly settings: CurrentSettingsSource; readonly totpSecrets: SecretSeal },
  tx: Tx,
  { userId, label }: { userId: string; label: string },
): Promise<Enrolment> {
  const secret = newTotpSecret();
  await userFactors.writeApp(tx, userId, totpSecrets.seal(userId, secret));
  const { instanceName: issuer } = settings.current;
  return { secret: formatTotpSecret(secret), uri: formatTotpUri({ secret, issuer, label }) };
}

/** Replaces those before. Returns the codes, of which only hashes are stored. */
export async function issueRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => hashRecoveryCode(code)!);
  await userFactors.replaceCodes(tx, userId, hashes);
  return codes;
}
