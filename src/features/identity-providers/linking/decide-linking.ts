/** Decides what happens with an identity that a provider has proved: the table of docs/security.md. */
import type { Tx } from '../../../database/database.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { Problem } from '../../../problems/problem.ts';
import type { Issue } from '../../people/sign-in/log-in.ts';
import type { SignInSession } from '../../people/sign-in/sessions.ts';
import { findCredentials, lockUser, type UserRow } from '../../users/records/queries.ts';
import { hasEmail } from '../../users/records/rules.ts';
import type { UserState } from '../../users/records/user-counters.ts';
import type { ProviderRow } from '../provider.ts';
import { findIdentity, findProvider } from '../queries.ts';
import { SignInFailure } from '../sign-in-failure.ts';
import type { UpstreamIdentity } from '../upstream/fetch-identity.ts';

export interface LinkingFacts {
  readonly linkedTo: string | null;
  /** The user who is signed in and wants to link the identity. */
  readonly linkingUser: string | null;
  readonly hasEmail: boolean;
  readonly isEmailVerified: boolean;
  /** Whether the person has entered the code that was mailed to it. */
  readonly isCodeConfirmed: boolean;
  /** The local account with the email, if there is one. */
  readonly account: {
    readonly state: UserState;
    readonly isEmailVerified: boolean;
    readonly hasRole: boolean;
  } | null;
}

export type LinkingDecision =
  | 'sign_in'
  | 'create'
  /** Makes an unclaimed account, or one with a role, that of the person whose email it is, and links. */
  | 'claim'
  | 'link'
  /** Asks for a code that is mailed. */
  | 'confirm_email'
  | 'mail_claim'
  /** Asks for the password, or whether the person did not create the account. */
  | 'ask_owner'
  /** Asks for a sign-in as before, or a code that is mailed. */
  | 'prove_account'
  | 'refuse_disabled'
  | 'refuse_linked_to_other'
  | 'refuse_without_email';

export function decideLinking(facts: LinkingFacts): LinkingDecision {
  const { linkedTo, linkingUser, hasEmail, isEmailVerified, isCodeConfirmed, account } = facts;
  if (linkingUser !== null && linkedTo !== linkingUser)
    return linkedTo === null ? 'link' : 'refuse_linked_to_other';
  if (linkedTo !== null) return 'sign_in';
  if (!hasEmail) return 'refuse_without_email';
  // No provider decides who administers: people with a role confirm their email by a code or a link.
  const isOwnEmail = isCodeConfirmed || (isEmailVerified && !account?.hasRole);
  if (account === null) return isOwnEmail ? 'create' : 'confirm_email';
  if (account.state === 'disabled') return 'refuse_disabled';
  if (account.state === 'unclaimed') return isOwnEmail ? 'claim' : 'mail_claim';
  // Before the code, the page is that of addresses without an account.
  if (!isOwnEmail) return 'confirm_email';
  // An owner has chosen the account for the role by its email, and the person may not have created it.
  if (!account.isEmailVerified) return account.hasRole ? 'claim' : 'ask_owner';
  return isCodeConfirmed ? 'link' : 'prove_account';
}

/** A person whose identity a provider has proved. */
export interface Arrival {
  readonly provider: ProviderRow;
  readonly identity: UpstreamIdentity;
  readonly isCodeConfirmed: boolean;
  /** The session of the user who wants to link the identity; null for a sign-in. */
  readonly linking: Pick<SignInSession, 'id' | 'userId'> | null;
  readonly browserHash: string;
  readonly clientIp: string;
  /** Starts the session, and returns its cookie. */
  readonly issue: Issue<string>;
}

/** Another transaction was faster: the decision may be another one now. */
export class Outdated extends Error {}

const MAX_ROUNDS = 5;

/** Runs `work`, again if it throws Outdated. */
export async function retryOutdated<T>(work: () => Promise<T>): Promise<T> {
  for (let round = 1; ; round++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
      if (round === MAX_ROUNDS) throw new Problem('service_unavailable', { retryAfterSeconds: 1 });
    }
  }
}

/**
 * Locks the account that it is about, that of the identity, of the session or with the email, and returns it with the
 * decision. @throws Outdated; SignInFailure if the provider was switched off, or is that of another issuer by now
 */
export async function findDecision(tx: Tx, { provider, identity, isCodeConfirmed, linking }: Arrival) {
  const known = await findIdentity(tx, identity);
  const userId = known?.user_id ?? linking?.userId;
  const account =
    userId === undefined ? await lockAccount(tx, identity.email) : ((await lockUser(tx, userId)) ?? null);
  // Another transaction, for which this one has waited, may have linked or unlinked it.
  const linked = await findIdentity(tx, identity);
  if (linked?.user_id !== known?.user_id) throw new Outdated();
  const current = await findProvider(tx, provider.id);
  if (current?.enabled !== 1 || current.issuer !== identity.issuer)
    throw new SignInFailure('request', provider.name);
  const decision = decideLinking({
    linkedTo: linked?.user_id ?? null,
    linkingUser: linking?.userId ?? null,
    hasEmail: identity.email !== null,
    isEmailVerified: identity.isEmailVerified,
    isCodeConfirmed,
    account: account && {
      state: account.state,
      isEmailVerified: account.email_verified_at !== null,
      hasRole: account.role !== null,
    },
  });
  return { decision, account, linked };
}

async function lockAccount(tx: Tx, email: string | null): Promise<UserRow | null> {
  const found = email === null ? undefined : await findCredentials(tx, normalizeEmail(email));
  if (found === undefined) return null;
  const account = await lockUser(tx, found.id);
  if (account === undefined || !hasEmail(account, email)) throw new Outdated();
  return account;
}
