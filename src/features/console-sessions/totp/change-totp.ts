/** Changes of the second factor of a session's credential, each with a code. */
import { wrongCode } from '../../../problems/challenges.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordCredentialEvent } from '../../credentials/record-credential-event.ts';
import { issueRecoveryCodes } from '../../second-factor/enrol.ts';
import { credentialFactors } from '../../second-factor/queries.ts';
import { type CodeRequest, type CodeWork, type WithCodeDeps, withCode } from './with-code.ts';

/** @throws Problem validation_failed for a wrong code, totp_not_enabled, too_many_requests, unauthorized */
async function change<T>(deps: WithCodeDeps, request: CodeRequest, work: CodeWork<T>): Promise<T> {
  const checked: CodeWork<T> = (tx, credential, now) => {
    if (credential.totp_enabled_at === null) throw new Problem('totp_not_enabled');
    return work(tx, credential, now);
  };
  return withCode(deps, request, checked).catch((error) => {
    throw error instanceof Problem && error.code === 'invalid_totp_code' ? wrongCode() : error;
  });
}

/** Switches two-step sign-in off: the secret alone signs in again. @throws Problem as `change` */
export function disableTotp(deps: WithCodeDeps, request: CodeRequest): Promise<void> {
  return change(deps, request, async (tx, credential, now) => {
    await credentialFactors.remove(tx, credential.id, now);
    await recordCredentialEvent(tx, credential, { type: 'credential.totp_disabled', now });
  });
}

/** Returns new recovery codes, which replace those before. @throws Problem as `change` */
export function renewRecoveryCodes(deps: WithCodeDeps, request: CodeRequest): Promise<string[]> {
  return change(deps, request, async (tx, credential, now) => {
    await recordCredentialEvent(tx, credential, { type: 'credential.recovery_codes_replaced', now });
    return issueRecoveryCodes(tx, credentialFactors, credential.id);
  });
}
