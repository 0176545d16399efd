/** Answers to the questions that are asked before an identity is linked. */
import type { Tx } from '../../../database/database.ts';
import { wrongMailCode } from '../../../problems/challenges.ts';
import { Problem } from '../../../problems/problem.ts';
import { finishErasures } from '../../people/personal-data/erase-user.ts';
import type { AccountDeps } from '../../people/sign-in/account-deps.ts';
import { claimAccount } from '../../people/sign-in/claim-account.ts';
import { logIn } from '../../people/sign-in/log-in.ts';
import { checkCode } from '../../people/sign-in/mailed-codes.ts';
import type { SignInSession } from '../../people/sign-in/sessions.ts';
import { SignInFailure } from '../sign-in-failure.ts';
import { deletePending, type PendingRow, pendingCodes } from '../upstream/queries.ts';
import { type Arrival, findDecision, type LinkingDecision, retryOutdated } from './decide-linking.ts';
import { eraseForOwner, linkIdentity, linkToSession } from './link-identity.ts';
import { createAccount, type SignInOutcome, signInWithIdentity } from './sign-in.ts';

export interface Answer {
  readonly pending: PendingRow;
  readonly arrival: Arrival;
}

/** Signs in with the code that was mailed. @throws Problem validation_failed */
export async function confirmCode(deps: AccountDeps, { pending, arrival }: Answer, code: string) {
  const checked = { codes: pendingCodes, hash: pending.browser_hash, code };
  if ((await checkCode(deps, checked)) === null) throw wrongMailCode();
  return signInWithIdentity(deps, { ...arrival, isCodeConfirmed: true });
}

/** Returns the locked account if the question is still the same. @throws SignInFailure */
async function requireAccount(tx: Tx, arrival: Arrival, expected: readonly LinkingDecision[]) {
  const { decision, account } = await findDecision(tx, arrival);
  if (account === null || !expected.includes(decision))
    throw new SignInFailure('request', arrival.provider.name);
  return account;
}

/**
 * Signs in with the password of the account, which keeps everything. A wrong one counts and is recorded as at a login.
 * @throws Problem as `logIn`; not_found if the settings switch passwords off
 */
export async function provePassword(
  deps: AccountDeps,
  { arrival }: Answer,
  password: string,
): Promise<SignInOutcome> {
  if (!deps.settings.current.passwordSignIn) throw new Problem('not_found');
  const { identity, clientIp, issue } = arrival;
  const onVerified = async (tx: Tx) => {
    const account = await requireAccount(tx, arrival, ['ask_owner', 'prove_account']);
    // The provider, or a mailed code, has proved the address.
    if (account.email_verified_at === null) await claimAccount(tx, account, deps.clock());
  };
  return retryOutdated(async () => {
    const login = { email: identity.email!, password, clientIp, onVerified };
    const cookie = await logIn(deps, login, async (tx, admitted) => {
      await linkIdentity(tx, arrival, { user: admitted.user, now: deps.clock(), isNoticed: true });
      return issue(tx, { ...admitted, amr: [...admitted.amr, 'fed'] });
    });
    return { kind: 'signed_in', cookie };
  });
}

/**
 * Erases the account that somebody else has created with the address of the person, and signs them in to a new one.
 * @throws Problem last_owner
 */
export async function answerNotMine(deps: AccountDeps, { arrival }: Answer): Promise<SignInOutcome> {
  const { outcome, unfinished } = await retryOutdated(() =>
    deps.database.transaction(async (tx) => {
      const user = await requireAccount(tx, arrival, ['ask_owner']);
      const isErased = await eraseForOwner(tx, user, { ...arrival, now: deps.clock() });
      const outcome = await createAccount(deps, tx, { arrival, isTakenOver: true });
      return { outcome, unfinished: isErased ? [] : [user.id] };
    }),
  );
  await finishErasures(deps, unfinished);
  return outcome;
}

/** Links to the account of a session that has begun after the question was asked. */
export function linkBySession(
  deps: AccountDeps,
  { pending, arrival }: Answer,
  session: Pick<SignInSession, 'id' | 'userId' | 'authenticatedAt'> | undefined,
): Promise<SignInOutcome> {
  return retryOutdated(() =>
    deps.database.transaction(async (tx) => {
      const user = await requireAccount(tx, arrival, ['ask_owner', 'prove_account', 'confirm_email']);
      if (session === undefined || session.authenticatedAt < pending.created_at)
        throw new SignInFailure('request', arrival.provider.name);
      await deletePending(tx, pending.browser_hash);
      return linkToSession(tx, arrival, { user, session, now: deps.clock() });
    }),
  );
}
