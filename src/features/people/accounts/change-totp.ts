/** The second factor of the own account. */
import type { Tx } from '../../../database/database.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueueNotice } from '../../mail/enqueue-mail.ts';
import { lockUser, type UserRow } from '../../users/records/queries.ts';
import { acceptTotpCode, acceptUserCode } from '../second-factor/accept-code.ts';
import { type Enrolment, issueRecoveryCodes, writeNewSecret } from '../second-factor/enrol.ts';
import { userFactors } from '../second-factor/queries.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';
import { changeWithProof, countFailures, type Proof } from '../sign-in/require-proof.ts';

/** Stores in the transaction what is shown to the person again. */
type Keep<T> = (tx: Tx, shown: T) => Promise<unknown>;
const keepNothing = async () => {};

/** Returns the secret of an authenticator app, which a code has to confirm. @throws Problem totp_already_enabled; as `requireProof` */
export function beginTotp(deps: AccountDeps, proof: Proof, keep: Keep<Enrolment> = keepNothing) {
  return changeWithProof(deps, proof, async (tx, user) => {
    if (user.totp_enabled_at !== null) throw new Problem('totp_already_enabled');
    const label = user.email ?? user.id;
    const enrolment = await writeNewSecret(deps, tx, { userId: user.id, label });
    await keep(tx, enrolment);
    return enrolment;
  });
}

/**
 * Switches two-step sign-in on, with the first code of the app. Returns the recovery codes. Sessions stay.
 * @throws Problem validation_failed for a wrong code, which counts as a failed login; totp_already_enabled,
 *   too_many_requests, unauthorized
 */
export function confirmTotp(
  deps: AccountDeps,
  confirmation: Pick<Proof, 'user' | 'clientIp'> & { readonly code: string },
  keep: Keep<readonly string[]> = keepNothing,
): Promise<string[]> {
  const { id: userId } = confirmation.user;
  const work = async (tx: Tx) => {
    const now = deps.clock();
    const user = await lockUser(tx, userId);
    if (user?.state !== 'active') throw new Problem('unauthorized');
    if (user.totp_enabled_at !== null) throw new Problem('totp_already_enabled');
    const presented = { userId, code: confirmation.code, now };
    if (!(await acceptTotpCode(deps, tx, presented))) throw new Problem('invalid_totp_code');
    await userFactors.enable(tx, userId, now);
    await recordEvent(tx, { type: 'totp.enabled', userId, now });
    await enqueueNotice(tx, user, { kind: 'totp_enabled', now });
    return issueCodes(tx, userId, keep);
  };
  return countFailures(deps, confirmation, () => deps.database.transaction(work));
}

interface CodeProof extends Proof {
  /** A code of the app, or a recovery code. */
  readonly code: string;
}

/** Switches two-step sign-in off. @throws Problem totp_not_enabled; as `requireProof` */
export function disableTotp(deps: AccountDeps, proof: CodeProof): Promise<true> {
  return changeWithCode(deps, proof, async (tx, user) => {
    await removeTotp(tx, user, deps.clock());
    return true as const;
  });
}

/** Returns new recovery codes, which replace those before. @throws Problem as `disableTotp` */
export function renewRecoveryCodes(
  deps: AccountDeps,
  proof: CodeProof,
  keep: Keep<readonly string[]> = keepNothing,
): Promise<string[]> {
  return changeWithCode(deps, proof, async (tx, { id: userId }) => {
    await recordEvent(tx, { type: 'totp.recovery_codes_replaced', userId, now: deps.clock() });
    return issueCodes(tx, userId, keep);
  });
}

async function issueCodes(tx: Tx, userId: string, keep: Keep<readonly string[]>): Promise<string[]> {
  const codes = await issueRecoveryCodes(tx, userId);
  await keep(tx, codes);
  return codes;
}

/** Removes the second factor of a user that the transaction has locked. */
export async function removeTotp(tx: Tx, user: UserRow, now: number): Promise<void> {
  await userFactors.remove(tx, user.id, now);
  await recordEvent(tx, { type: 'totp.disabled', userId: user.id, now });
  await enqueueNotice(tx, user, { kind: 'totp_disabled', now });
}

function changeWithCode<T>(deps: AccountDeps, proof: CodeProof, work: (tx: Tx, user: UserRow) => Promise<T>) {
  return changeWithProof(deps, proof, async (tx, user) => {
    if (user.totp_enabled_at === null) throw new Problem('totp_not_enabled');
    await acceptUserCode(deps, tx, { user, code: proof.code, now: deps.clock() });
    return work(tx, user);
  });
}
