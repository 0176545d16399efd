/** Signs a person in whose identity a provider has proved, or finds what to ask first. */
import type { Tx } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { normalizeEmail } from '../../../lib/text/email-address.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueueMail } from '../../mail/enqueue-mail.ts';
import { type AuthenticationMethod, passGate, passGateAsNew } from '../../sign-in/gate.ts';
import type { AccountDeps } from '../../users/accounts/account-deps.ts';
import type { Issue } from '../../users/accounts/login/log-in.ts';
import { insertUser } from '../../users/records/new-users/queries.ts';
import { findUser } from '../../users/records/queries.ts';
import { recordIdentityUse } from '../queries.ts';
import type { LinkingDecision } from './decide-linking.ts';
import { type Arrival, decideInRounds, findDecision, Outdated } from './find-decision.ts';
import { claimAccount, linkIdentity, notifyOfLink } from './link-identity.ts';

export type Question = Extract<
  LinkingDecision,
  'confirm_email' | 'mail_claim' | 'ask_owner' | 'prove_account'
>;
export type Refusal = Extract<LinkingDecision, `refuse_${string}`> | 'refuse_closed';

/** `linked`: to the user who was signed in already. */
export type SignInOutcome<T> =
  | { readonly kind: 'signed_in'; readonly issued: T }
  | { readonly kind: 'challenge'; readonly challenge: string }
  | { readonly kind: 'linked' }
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

type Decision = Awaited<ReturnType<typeof findDecision>>;

/** Returns what becomes of the sign-in. `onQuestion` stores what the answer to a question needs. */
export async function signInWithIdentity<T>(
  deps: AccountDeps,
  arrival: Arrival,
  { issue, onQuestion }: { issue: Issue<T>; onQuestion: (tx: Tx, question: Question) => Promise<void> },
): Promise<SignInOutcome<T>> {
  return decideInRounds(deps.database, async (tx) => {
    const found = await findDecision(tx, arrival);
    const { decision, account } = found;
    switch (decision) {
      case 'sign_in':
      case 'claim':
      case 'link':
        return enter(deps, tx, { arrival, found, issue });
      case 'create':
        return createAccount(deps, tx, { arrival, issue });
      case 'refuse_disabled':
      case 'refuse_linked_to_other':
      case 'refuse_without_email':
        return { kind: 'refused', refusal: decision };
    }
    if (decision === 'mail_claim') {
      const mail = { kind: 'claim_account', userId: account!.id, email: account!.email! } as const;
      await enqueueMail(tx, { ...mail, now: deps.clock() });
    }
    await onQuestion(tx, decision);
    return { kind: 'question', question: decision };
  });
}

interface Entry<T> {
  readonly arrival: Arrival;
  readonly found: Decision;
  readonly issue: Issue<T>;
}

async function enter<T>(
  deps: AccountDeps,
  tx: Tx,
  { arrival, found, issue }: Entry<T>,
): Promise<SignInOutcome<T>> {
  const { decision, account, linked } = found;
  const now = deps.clock();
  if (arrival.linkingUser !== null && decision === 'link') {
    const userId = arrival.linkingUser;
    await linkIdentity(tx, arrival, { userId, now });
    await notifyOfLink(tx, (await findUser(tx, userId))!, { ...arrival, now });
    return { kind: 'linked' };
  }
  if (linked !== undefined)
    await recordIdentityUse(tx, { id: linked.id, email: arrival.identity.email, now });
  if (decision === 'claim') await claimAccount(tx, account!, now);
  const userId = linked?.user_id ?? account!.id;
  const amr: AuthenticationMethod[] = arrival.isCodeConfirmed ? ['fed', 'email'] : ['fed'];
  const outcome = await admit(deps, tx, { userId, amr, clientIp: arrival.clientIp, issue });
  // A person who has yet to prove the second factor is linked afterwards.
  if (outcome.kind === 'signed_in' && linked === undefined) {
    await linkIdentity(tx, arrival, { userId, now });
    if (decision === 'link') await notifyOfLink(tx, account!, { ...arrival, now });
  }
  return outcome;
}

interface Admission<T> {
  readonly userId: string;
  readonly amr: readonly AuthenticationMethod[];
  readonly clientIp: string;
  readonly password?: { readonly verifiedHash: string; readonly newHash: string };
  readonly issue: Issue<T>;
}

/** Lets an existing user pass the gate. */
export async function admit<T>(
  deps: AccountDeps,
  tx: Tx,
  { clientIp, issue, ...person }: Admission<T>,
): Promise<SignInOutcome<T>> {
  const network = deps.loginGuard.hashNetwork(clientIp);
  const passed = await passGate(deps, tx, { ...person, network });
  if (passed === null) return { kind: 'refused', refusal: 'refuse_disabled' };
  if ('challenge' in passed) return { kind: 'challenge', challenge: passed.challenge };
  deps.activity.userActive(person.userId);
  return { kind: 'signed_in', issued: await issue(tx, passed.admitted) };
}

/** Creates an active account without a password, whose email is verified. */
async function createAccount<T>(
  { clock, settings, activity }: AccountDeps,
  tx: Tx,
  { arrival, issue }: Omit<Entry<T>, 'found'>,
): Promise<SignInOutcome<T>> {
  if (settings.current.registration === 'closed') return { kind: 'refused', refusal: 'refuse_closed' };
  const { name, email } = arrival.identity;
  const now = clock();
  const userId = newId();
  const isStored = await insertUser(tx, {
    ...{ id: userId, name, email, ownsEmail: true, passwordHash: null, level: null, state: 'active' },
    emailKey: normalizeEmail(email!),
    emailVerifiedAt: now,
    createdAt: now,
  });
  if (!isStored) throw new Outdated();
  await recordEvent(tx, { type: 'user.created', userId, actor: 'user', now });
  await linkIdentity(tx, arrival, { userId, now });
  const amr = arrival.isCodeConfirmed ? (['fed', 'email'] as const) : (['fed'] as const);
  const issued = await issue(tx, await passGateAsNew(tx, { userId, amr, now }));
  activity.userActive(userId);
  return { kind: 'signed_in', issued };
}
