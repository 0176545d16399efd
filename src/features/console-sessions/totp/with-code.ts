/** Changes that need a code of the credential, if it has a second factor. */
import { toActor } from '../../../callers/action-context.ts';
import type { AdminCredential } from '../../../callers/callers.ts';
import { type DatabaseDeps, DatabaseUnavailable, type Tx } from '../../../database/database.ts';
import { totpRequired } from '../../../problems/challenges.ts';
import { Problem } from '../../../problems/problem.ts';
import { lockCredentials } from '../../credentials/credential-caller.ts';
import { type CredentialRow, findCredential } from '../../credentials/queries.ts';
import { recordCredentialEvent } from '../../credentials/record-credential-event.ts';
import { acceptCredentialCode } from '../../credentials/totp/accept-code.ts';
import type { AcceptCodeDeps } from '../../second-factor/accept-code.ts';
import type { LoginGuard } from '../../users/accounts/login/login-guard.ts';

export interface WithCodeDeps extends AcceptCodeDeps, DatabaseDeps {
  /** Limits wrong codes of a credential, from one network and from anywhere. */
  readonly totpGuard: LoginGuard;
}

export interface CodeRequest {
  readonly credential: AdminCredential & { readonly id: string };
  /** As it was typed; undefined if none was sent. */
  readonly code: string | undefined;
  readonly clientIp: string;
}

/** Function that runs in the transaction that has accepted the code, with the stored credential. */
export type CodeWork<T> = (tx: Tx, credential: CredentialRow, now: number) => Promise<T>;

/**
 * Runs `work` in one transaction with the acceptance of the code, if the credential has a second factor. @throws
 * Problem totp_required, invalid_totp_code, too_many_requests, unauthorized (revoked meanwhile)
 */
export async function withCode<T>(deps: WithCodeDeps, request: CodeRequest, work: CodeWork<T>): Promise<T> {
  const { credential, code, clientIp } = request;
  const run = () => runInTransaction(deps, request, work);
  if (code === undefined) return run();
  // Locked in every network: whoever gets here has the secret of the credential.
  const attempt = { accountKey: credential.id, clientIp, findFirstLogin: async () => null };
  try {
    return await deps.totpGuard.run(attempt, run);
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_totp_code') await recordFailure(deps, credential);
    throw error;
  }
}

/** Changes of credentials run one after the other: none gets a second factor between the check and the commit. */
function runInTransaction<T>(
  deps: WithCodeDeps,
  { credential: caller, code }: CodeRequest,
  work: CodeWork<T>,
): Promise<T> {
  return deps.database.transaction(async (tx) => {
    const now = deps.clock();
    await lockCredentials(tx, caller, now);
    const credential = (await findCredential(tx, caller.id))!;
    if (credential.totp_enabled_at !== null) {
      if (code === undefined) throw totpRequired();
      await acceptCredentialCode(deps, tx, { credential, code, now });
    }
    return work(tx, credential, now);
  });
}

/** A failure of the database must not change the response. */
async function recordFailure(
  { database, clock }: WithCodeDeps,
  credential: CodeRequest['credential'],
): Promise<void> {
  const event = { type: 'credential.totp_failed', outcome: 'failure', actor: toActor(credential) } as const;
  await database
    .transaction((tx) => recordCredentialEvent(tx, credential, { ...event, now: clock() }))
    .catch((error) => {
      if (!(error instanceof DatabaseUnavailable)) throw error;
    });
}
