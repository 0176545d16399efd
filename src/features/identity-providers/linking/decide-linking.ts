/** Decides what happens with an identity that a provider has proved: the table of docs/security.md. */
import type { UserState } from '../../users/records/user-counters.ts';

export interface LinkingFacts {
  /** The user whom the identity is linked to. */
  readonly linkedTo: string | null;
  /** The user who is signed in and wants to link the identity. */
  readonly linkingUser: string | null;
  readonly hasEmail: boolean;
  /** Whether the provider has verified the email. */
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
