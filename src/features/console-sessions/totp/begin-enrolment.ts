/** Creates the secret of an authenticator app, which a code has to confirm. */
import type { DatabaseDeps } from '../../../database/database.ts';
import type { SecretSeal } from '../../../lib/secrets/encryption.ts';
import { Problem } from '../../../problems/problem.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import { lockCredentials } from '../../credentials/credential-caller.ts';
import { findCredential } from '../../credentials/queries.ts';
import { writeTotpSecret } from '../../credentials/totp/queries.ts';
import { formatTotpSecret, formatTotpUri, newTotpSecret } from '../../credentials/totp/totp.ts';
import type { CodeRequest } from './with-code.ts';

export interface BeginEnrolmentDeps extends DatabaseDeps {
  readonly settings: CurrentSettingsSource;
  readonly totpSecrets: SecretSeal;
}

/** Replaces a secret that was not confirmed. @throws Problem totp_already_enabled, unauthorized */
export async function beginEnrolment(
  { database, clock, settings, totpSecrets }: BeginEnrolmentDeps,
  caller: CodeRequest['credential'],
) {
  const secret = newTotpSecret();
  const sealed = totpSecrets.seal(caller.id, secret);
  await database.transaction(async (tx) => {
    await lockCredentials(tx, caller, clock());
    if ((await findCredential(tx, caller.id))!.totp_enabled_at !== null)
      throw new Problem('totp_already_enabled');
    await writeTotpSecret(tx, caller.id, sealed);
  });
  const { instanceName: issuer } = settings.current;
  return { secret: formatTotpSecret(secret), uri: formatTotpUri({ secret, issuer, label: caller.name }) };
}
