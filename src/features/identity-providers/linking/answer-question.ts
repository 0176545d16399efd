/** Answers to what is asked before an identity is linked. */
import type { Tx } from '../../../database/database.ts';
import type { GetMailCode } from '../../mail/mail-codes.ts';
import type { SignInSession } from '../../sign-in/sessions/sessions.ts';
import type { AccountDeps } from '../../users/accounts/account-deps.ts';
import type { Issue } from '../../users/accounts/login/log-in.ts';
import { requireProof } from '../../users/accounts/passwords/require-proof.ts';
import type { UserRow } from '../../users/records/queries.ts';
import { deletePending, markEmailVerified, type PendingRow } from '../upstream/queries.ts';
import { UpstreamFailure } from '../upstream/upstream-failure.ts';
import type { LinkingDecision } from './decide-linking.ts';
import { type Arrival, decideInRounds, findDecision } from './find-decision.ts';
import { claimAccount, linkIdentity, notifyOfLink, takeAccountOver } from './link-identity.ts';
import { checkCode } from './mailed-codes.ts';
import { admit, type SignInOutcome, signInWithIdentity } from './sign-in.ts';

export interface AnswerDeps extends AccountDeps {
  readonly getMailCode: GetMailCode;
}

export interface Answer<T> {
  readonly pending: PendingRow;
  readonly arrival: Arrival;
  readonly issue: Issue<T>;
}

/** Signs in with the code that was mailed. @throws Problem validation_failed */
export async function confirmCode<T>(
  deps: AnswerDeps,
  { pending, arrival, issue }: Answer<T>,
  code: string,
): Promise<SignInOutcome<T>> {
  await checkCode(deps, pending, code);
  // Proved, also for the question that may follow.
  const onQuestion = (tx: Tx) => markEmailVerified(tx, pending.browser_hash).then(() => {});
  const answer = { issue: forget(pending, issue), onQuestion };
  return signInWithIdentity(deps, { ...arrival, isCodeConfirmed: true }, answer);
}

/** Deletes what was pending in the transaction that signs in. */
function forget<T>({ browser_hash }: PendingRow, issue: Issue<T>): Issue<T> {
  return async (tx, admitted) => {
    await deletePending(tx, browser_hash);
    return issue(tx, admitted);
  };
}

/** Returns the account of a decision among those that can be answered. @throws UpstreamFailure if it has changed meanwhile */
async function requireAccount(tx: Tx, arrival: Arrival, expected: readonly LinkingDecision[]) {
  const { decision, account } = await findDecision(tx, arrival);
  if (account === null || !expected.includes(decision))
    throw new UpstreamFailure('request', arrival.provider);
  return { decision, account };
}

/** Signs in with the password of the account, which keeps everything. @throws Problem as `requireProof` */
export async function provePassword<T>(
  deps: AnswerDeps,
  { pending, arrival, issue }: Answer<T>,
  currentPassword: string,
): Promise<SignInOutcome<T>> {
  const { clientIp } = arrival;
  const answerable = ['ask_owner', 'prove_account'] as const;
  const { account: user } = await decideInRounds(deps.database, (tx) =>
    requireAccount(tx, arrival, answerable),
  );
  return requireProof(deps, { user, currentPassword, signedInAt: null, clientIp }, (verifiedHash) =>
    decideInRounds(deps.database, async (tx) => {
      const { account } = await requireAccount(tx, arrival, answerable);
      if (account.id !== user.id) throw new UpstreamFailure('request', arrival.provider);
      // The provider, or a mailed code, has proved the address.
      const owner =
        account.email_verified_at === null ? await claimAccount(tx, account, deps.clock()) : account;
      const password = { verifiedHash: verifiedHash!, newHash: verifiedHash! };
      const person = { userId: owner.id, amr: ['pwd', 'fed'], clientIp, password } as const;
      const outcome = await admit(deps, tx, { ...person, issue: forget(pending, issue) });
      if (outcome.kind === 'refused') return null;
      if (outcome.kind === 'signed_in') await linkAndNotify(deps, tx, { arrival, user: owner });
      return outcome;
    }),
  );
}

async function linkAndNotify(
  { clock }: AnswerDeps,
  tx: Tx,
  { arrival, user }: { readonly arrival: Arrival; readonly user: UserRow },
): Promise<void> {
  const now = clock();
  await linkIdentity(tx, arrival, { userId: user.id, now });
  await notifyOfLink(tx, user, { ...arrival, now });
}

/** Signs in to an account that somebody else has created with the address of the person. */
export function answerNotMine<T>(
  deps: AnswerDeps,
  { pending, arrival, issue }: Answer<T>,
): Promise<SignInOutcome<T>> {
  return decideInRounds(deps.database, async (tx) => {
    const { account } = await requireAccount(tx, arrival, ['ask_owner']);
    const now = deps.clock();
    await takeAccountOver(tx, account, { ...arrival, now });
    await linkIdentity(tx, arrival, { userId: account.id, now });
    const person = { userId: account.id, amr: ['fed'], clientIp: arrival.clientIp } as const;
    return admit(deps, tx, { ...person, issue: forget(pending, issue) });
  });
}

/** Links to the account of a session that has begun after the question was asked. */
export function linkBySession(
  deps: AnswerDeps,
  { pending, arrival }: Pick<Answer<never>, 'pending' | 'arrival'>,
  session: Pick<SignInSession, 'userId' | 'authenticatedAt'>,
): Promise<void> {
  return decideInRounds(deps.database, async (tx) => {
    const { account } = await requireAccount(tx, arrival, ['ask_owner', 'prove_account', 'confirm_email']);
    const isRecent = session.authenticatedAt >= pending.created_at;
    if (account.id !== session.userId || !isRecent) throw new UpstreamFailure('request', arrival.provider);
    await deletePending(tx, pending.browser_hash);
    await linkAndNotify(deps, tx, { arrival, user: account });
  });
}
