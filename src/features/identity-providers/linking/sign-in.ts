/** Signs a person in whose identity a provider has proved, or stores the identity until a question is answered. */
import type { Tx } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { MINUTE } from '../../../lib/time.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueueMail, enqueueNotice } from '../../mail/enqueue-mail.ts';
import type { AccountDeps } from '../../people/sign-in/account-deps.ts';
import { claimAccount, endOtherWaysIn } from '../../people/sign-in/claim-account.ts';
import { passGate, passGateAsNew } from '../../people/sign-in/gate.ts';
import { mailCode } from '../../people/sign-in/mailed-codes.ts';
import { insertUser } from '../../users/records/new-user-queries.ts';
import { recordIdentityUse } from '../queries.ts';
import { SignInFailure } from '../sign-in-failure.ts';
import { pendingCodes, writePending } from '../upstream/queries.ts';
import { type Arrival, findDecision, Outdated, retryOutdated } from './decide-linking.ts';
import { linkIdentity, linkToSession } from './link-identity.ts';

/** `linked`: to the user who was signed in already. */
export type SignInOutcome =
  | { readonly kind: 'signed_in'; readonly cookie: string }
  | { readonly kind: 'challenge'; readonly challenge: string }
  | { readonly kind: 'linked' | 'question' };

/** Time in which a question has to be answered. */
const PENDING_MS = 30 * MINUTE;

/** @throws SignInFailure, Problem email_not_verified where the settings require it */
export function signInWithIdentity(deps: AccountDeps, arrival: Arrival): Promise<SignInOutcome> {
  return retryOutdated(() =>
    deps.database.transaction(async (tx) => {
      const found = await findDecision(tx, arrival);
      const { decision, account } = found;
      switch (decision) {
        case 'sign_in':
        case 'claim':
        case 'link':
          return enter(deps, tx, { arrival, found });
        case 'create':
          if (deps.settings.current.registration === 'closed')
            throw new SignInFailure('refuse_closed', arrival.provider.name);
          return createAccount(deps, tx, { arrival, isTakenOver: false });
        case 'refuse_disabled':
        case 'refuse_linked_to_other':
        case 'refuse_without_email':
          throw new SignInFailure(decision, arrival.provider.name);
      }
      const now = deps.clock();
      await storePending(tx, arrival, now);
      if (decision === 'confirm_email') await mailPendingCode(deps, tx, arrival);
      if (decision === 'mail_claim')
        await enqueueMail(tx, { kind: 'claim_account', userId: account!.id, email: account!.email!, now });
      return { kind: 'question' };
    }),
  );
}

/** Mails a code to the address that the provider has named. */
export function mailPendingCode(deps: AccountDeps, tx: Tx, { browserHash, identity, clientIp }: Arrival) {
  const network = deps.loginGuard.hashNetwork(clientIp);
  return mailCode(deps, tx, { codes: pendingCodes, hash: browserHash, email: identity.email!, network });
}

function storePending(tx: Tx, arrival: Arrival, now: number): Promise<void> {
  const { provider, identity, isCodeConfirmed, browserHash } = arrival;
  const { issuer, subject, email, isEmailVerified, name } = identity;
  return writePending(tx, {
    ...{ browser_hash: browserHash, provider_id: provider.id, issuer, subject, email: email!, name },
    email_key: normalizeEmail(email!),
    email_verified: isEmailVerified || isCodeConfirmed ? 1 : 0,
    ...{ code_id: null, code_expires_at: null, code_tries: 0, codes: 0 },
    ...{ created_at: now, expires_at: now + PENDING_MS },
  });
}

async function enter(
  deps: AccountDeps,
  tx: Tx,
  { arrival, found }: { readonly arrival: Arrival; readonly found: Awaited<ReturnType<typeof findDecision>> },
): Promise<SignInOutcome> {
  const { decision, account, linked } = found;
  const { linking, identity } = arrival;
  const now = deps.clock();
  if (linking !== null && decision === 'link')
    return linkToSession(tx, arrival, { user: account, session: linking, now });
  if (linked !== undefined) await recordIdentityUse(tx, { id: linked.id, email: identity.email, now });
  if (decision === 'claim' && account!.state === 'active') await endOtherWaysIn(tx, account!, now);
  if (decision === 'claim') await claimAccount(tx, account!, now);
  const outcome = await admit(deps, tx, { arrival, userId: linked?.user_id ?? account!.id });
  // A person who has yet to prove the second factor is linked afterwards.
  if (outcome.kind === 'signed_in' && linked === undefined)
    await linkIdentity(tx, arrival, { user: account!, now, isNoticed: decision === 'link' });
  return outcome;
}

/** Lets an existing user pass the gate. @throws SignInFailure */
async function admit(
  deps: AccountDeps,
  tx: Tx,
  { arrival, userId }: { readonly arrival: Arrival; readonly userId: string },
): Promise<SignInOutcome> {
  const network = deps.loginGuard.hashNetwork(arrival.clientIp);
  const passed = await passGate(deps, tx, { userId, amr: toMethods(arrival), network });
  if (passed === null) throw new SignInFailure('refuse_disabled', arrival.provider.name);
  if ('challenge' in passed) return { kind: 'challenge', challenge: passed.challenge };
  deps.activity.userActive(userId);
  return { kind: 'signed_in', cookie: await arrival.issue(tx, passed.admitted) };
}

const toMethods = ({ isCodeConfirmed }: Arrival) =>
  isCodeConfirmed ? (['fed', 'email'] as const) : (['fed'] as const);

/** Creates an active account without a password, whose email is verified; `isTakenOver`: in place of an erased one. */
export async function createAccount(
  { clock, activity }: AccountDeps,
  tx: Tx,
  { arrival, isTakenOver }: { readonly arrival: Arrival; readonly isTakenOver: boolean },
): Promise<SignInOutcome> {
  const { name, email } = arrival.identity;
  const now = clock();
  const userId = newId();
  const user = await insertUser(tx, {
    ...{ id: userId, name, email, ownsEmail: true, passwordHash: null, level: null, state: 'active' },
    emailKey: normalizeEmail(email!),
    emailVerifiedAt: now,
    createdAt: now,
  });
  if (user === undefined) throw new Outdated();
  await recordEvent(tx, { type: 'user.created', userId, actor: 'user', now });
  const admitted = passGateAsNew(tx, { user, amr: toMethods(arrival), now });
  await linkIdentity(tx, arrival, { user, now, isNoticed: false });
  const data = { provider: arrival.provider.name };
  if (isTakenOver) await enqueueNotice(tx, user, { kind: 'account_taken_over', data, now });
  activity.userActive(userId);
  return { kind: 'signed_in', cookie: await arrival.issue(tx, admitted) };
}
