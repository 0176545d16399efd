/** Proof that a request comes from the person whose account it changes, and not from somebody who has the token only. */
import { RECENT_SIGN_IN_MINUTES } from '../../../callers/admin-scopes.ts';
import { type Caller, getUserCaller } from '../../../callers/callers.ts';
import type { Tx } from '../../../database/database.ts';
import type { QueueClient } from '../../../lib/queues/queue-lanes.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { MINUTE } from '../../../lib/time.ts';
import { wrongCode } from '../../../problems/challenges.ts';
import { Problem } from '../../../problems/problem.ts';
import { validationFailed } from '../../../problems/validation-failed.ts';
import { findCredentialsById, lockUserWithHash, type UserRow } from '../../users/records/queries.ts';
import { getCallerRecord } from '../tokens/find-token-caller.ts';
import type { AccountDeps } from './account-deps.ts';
import { getAttemptClient } from './hashing-client.ts';
import { findFirstLogin } from './queries.ts';

export type ProofDeps = Pick<AccountDeps, 'database' | 'clock' | 'passwords' | 'loginGuard'>;

export interface Proof {
  readonly user: UserRow;
  /** Undefined if none was sent: accounts without a password have none. */
  readonly currentPassword: string | undefined;
  /** When the person signed in to the session whose cookie the request has; null without one: a token proves no sign-in. */
  readonly signedInAt: number | null;
  readonly clientIp: string;
}

/** Returns the proof that a request with a token contains: the password, or none. */
export function toProof(request: {
  readonly caller: Caller;
  readonly clientIp: string;
  readonly body: { readonly current_password?: string | undefined };
}): Proof {
  const { body, clientIp } = request;
  const user = getCallerRecord(getUserCaller(request));
  return { user, currentPassword: body.current_password, signedInAt: null, clientIp };
}

/**
 * Runs `work` with the hash that the current password was verified against, null for an account without a password, and
 * the client of that verification. `work` compares the hash in its transaction (`lockUserWithHash`) and returns null if
 * it was replaced meanwhile: then the proof is checked again. A wrong password, and a wrong code of the second factor in
 * `work`, count as failed logins.
 * @throws Problem validation_failed (missing or wrong password, wrong code), recent_sign_in_required, too_many_requests,
 *   unauthorized (the account was disabled or deleted meanwhile)
 */
export async function requireProof<T>(
  deps: ProofDeps,
  proof: Proof,
  work: (verifiedHash: string | null, client: QueueClient) => Promise<T | null>,
): Promise<T> {
  return countFailures(deps, proof, async (client) => {
    for (;;) {
      const result = await work(await verifyProof(deps, proof, client), client);
      if (result !== null) return result;
    }
  });
}

/** Runs `work` in a transaction that has locked the user, with the proof of `requireProof`. @throws Problem as it does */
export function changeWithProof<T>(
  deps: ProofDeps,
  proof: Proof,
  work: (tx: Tx, user: UserRow) => Promise<T>,
): Promise<T> {
  return requireProof(deps, proof, (verifiedHash) =>
    deps.database.transaction(async (tx) => {
      const user = await lockUserWithHash(tx, proof.user.id, verifiedHash);
      return user === undefined ? null : work(tx, user);
    }),
  );
}

/**
 * Runs `work`, whose wrong passwords and codes count as failed logins, if the account is not locked out. @throws Problem
 * validation_failed instead of invalid_login and invalid_totp_code; too_many_requests
 */
export async function countFailures<T>(
  { database, clock, loginGuard }: ProofDeps,
  { user, clientIp }: Pick<Proof, 'user' | 'clientIp'>,
  work: (client: QueueClient) => Promise<T>,
): Promise<T> {
  const { id: userId } = user;
  const attempt = {
    accountKey: normalizeEmail(user.email ?? ''),
    clientIp,
    findFirstLogin: (network: string) => findFirstLogin(database, userId, network),
  };
  try {
    return await loginGuard.run(attempt, ({ firstLoginAt }) =>
      work(getAttemptClient({ userId, clientIp, firstLoginAt, now: clock() })),
    );
  } catch (error) {
    // A 401 would mean that the session has ended.
    if (error instanceof Problem && error.code === 'invalid_totp_code') throw wrongCode();
    if (error instanceof Problem && error.code === 'invalid_login')
      throw validationFailed({ current_password: ['The current password is incorrect.'] });
    throw error;
  }
}

/** Returns the hash that the password matches. @throws Problem invalid_login, which the guard counts */
async function verifyProof(
  { database, clock, passwords }: ProofDeps,
  { user, currentPassword, signedInAt }: Proof,
  client: QueueClient,
): Promise<string | null> {
  const credentials = await findCredentialsById(database, user.id);
  if (credentials?.state !== 'active') throw new Problem('unauthorized');
  const { password_hash } = credentials;
  if (currentPassword !== undefined) {
    const { matches } = await passwords.verify(currentPassword, password_hash, client);
    if (!matches || password_hash === null) throw new Problem('invalid_login');
    return password_hash;
  }
  if (password_hash !== null)
    throw validationFailed({ current_password: ['The current_password field is required.'] });
  if (signedInAt === null || signedInAt <= clock() - RECENT_SIGN_IN_MINUTES * MINUTE)
    throw new Problem('recent_sign_in_required');
  return null;
}
