/** The secrets that an owner of a second factor is shown once. */
import type { Tx } from '../../database/database.ts';
import type { SecretSeal } from '../../lib/secrets/encryption.ts';
import type { CurrentSettingsSource } from '../../settings/run-time-settings.ts';
import type { FactorStore } from './queries.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import { formatTotpSecret, formatTotpUri, newTotpSecret } from './totp.ts';

export interface EnrolDeps {
  readonly settings: CurrentSettingsSource;
  readonly totpSecrets: SecretSeal;
}

export interface Enrolment {
  /** The secret in base32. */
  readonly secret: string;
  /** The same for apps, as a link or a QR code. */
  readonly uri: string;
}

/** Stores the secret of a new authenticator app, instead of one that was not confirmed. `label`: name of the owner. */
export async function writeNewSecret(
  { settings, totpSecrets }: EnrolDeps,
  tx: Tx,
  { factors, ownerId, label }: { factors: FactorStore; ownerId: string; label: string },
): Promise<Enrolment> {
  const secret = newTotpSecret();
  await factors.writeApp(tx, ownerId, totpSecrets.seal(ownerId, secret));
  const { instanceName: issuer } = settings.current;
  return { secret: formatTotpSecret(secret), uri: formatTotpUri({ secret, issuer, label }) };
}

/** Replaces those before. Returns the codes, of which only hashes are stored. */
export async function issueRecoveryCodes(tx: Tx, factors: FactorStore, ownerId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => hashRecoveryCode(code)!);
  await factors.replaceCodes(tx, ownerId, hashes);
  return codes;
}
