/** Reads what the decision about an identity depends on, in the transaction that applies it. */
import type { Tx } from '../../../database/database.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { Problem } from '../../../problems/problem.ts';
import type { Issue } from '../../people/sign-in/log-in.ts';
import type { SignInSession } from '../../people/sign-in/sessions.ts';
import { findCredentials, lockUser, type UserRow } from '../../users/records/queries.ts';
import { hasEmail } from '../../users/records/rules.ts';
import { findIdentity, findProvider, type ProviderRow } from '../queries.ts';
import { SignInFailure } from '../sign-in-failure.ts';
import type { UpstreamIdentity } from '../upstream/fetch-identity.ts';
import { decideLinking } from './decide-linking.ts';

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
