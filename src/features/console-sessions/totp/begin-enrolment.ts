/** Creates the secret of an authenticator app, which a code has to confirm. */
import type { DatabaseDeps } from '../../../database/database.ts';
import { Problem } from '../../../problems/problem.ts';
import { lockCredentials } from '../../credentials/credential-caller.ts';
import { findCredential } from '../../credentials/queries.ts';
import { type EnrolDeps, type Enrolment, writeNewSecret } from '../../second-factor/enrol.ts';
import { credentialFactors } from '../../second-factor/queries.ts';
import type { CodeRequest } from './with-code.ts';

export type BeginEnrolmentDeps = DatabaseDeps & EnrolDeps;

/** Replaces a secret that was not confirmed. @throws Problem totp_already_enabled, unauthorized */
export function beginEnrolment(
  deps: BeginEnrolmentDeps,
  caller: CodeRequest['credential'],
): Promise<Enrolment> {
  return deps.database.transaction(async (tx) => {
    await lockCredentials(tx, caller, deps.clock());
    if ((await findCredential(tx, caller.id))!.totp_enabled_at !== null)
      throw new Problem('totp_already_enabled');
    return writeNewSecret(deps, tx, { factors: credentialFactors, ownerId: caller.id, label: caller.name });
  });
}
