/** Exchanges credentials for a token. */
import { DatabaseUnavailable, type Tx } from '../../../../database/database.ts';
import type { QueueClient } from '../../../../lib/queues/queue-lanes.ts';
import { normalizeEmail } from '../../../../lib/text/email-address.ts';
import { Problem } from '../../../../problems/problem.ts';
import type { LoginFailure } from '../../../events/event-types.ts';
import { recordEvent } from '../../../events/record-event.ts';
import { passGate } from '../../../sign-in/gate.ts';
import { findFirstLogin } from '../../../sign-in/queries.ts';
import { type IssuedToken, issueToken } from '../../../tokens/issue-token.ts';
import { type Credentials, findCredentials } from '../../records/queries.ts';
import type { AccountDeps } from '../account-deps.ts';
import { getAttemptClient } from '../passwords/hashing-client.ts';

/** Concurrent logins need a second round after one has replaced the hash, more only if nodes have different parameters. */
const MAX_ROUNDS = 3;

/**
 * Unknown email, wrong password and disabled account lead to the same response in the same time (OWASP
 * Authentication Cheat Sheet). A hash with outdated parameters is replaced while the password is known.
 * @throws Problem invalid_login, too_many_requests, email_not_verified (only after the right password),
 *   service_unavailable; PasswordsUnavailable
 */
export async function logIn(
  deps: AccountDeps,
  { email, password, clientIp }: Readonly<Record<'email' | 'password' | 'clientIp', string>>,
): Promise<IssuedToken> {
  const { database, clock, loginGuard, limitedLogins } = deps;
  const emailKey = normalizeEmail(email);
  const found = await findCredentials(database, emailKey);
  const userId = found?.id ?? null;
  const attempt = {
    accountKey: emailKey,
    clientIp,
    // Read for unknown emails too, so that they take as long as known ones.
    findFirstLogin: (network: string) => findFirstLogin(database, userId ?? '', network),
  };
  const login = loginGuard.run(attempt, async ({ network, firstLoginAt }) => {
    const client = getAttemptClient({ userId, clientIp, firstLoginAt, now: clock() });
    const login = { password, network, client };
    let token = await tryLogin(deps, found, login);
    for (let round = 1; token === null && round < MAX_ROUNDS; round++) {
      token = await tryLogin(deps, await findCredentials(database, emailKey), login);
    }
    if (token !== null) return token;
    // The password was right each time: this is not a failed attempt.
    throw new Problem('service_unavailable', { retryAfterSeconds: 1 });
  });
  return login.catch(async (error) => {
    const reason = getFailure(error);
    const isRecorded = reason !== 'limited' || limitedLogins.shouldRecord(emailKey);
    if (reason !== null && isRecorded) await recordFailure(deps, userId, reason);
    throw error;
  });
}

/** A rejected login. The response does not contain the reason. */
class RejectedLogin extends Problem {
  readonly reason: LoginFailure;

  constructor(reason: LoginFailure) {
    super('invalid_login');
    this.reason = reason;
  }
}

function getFailure(error: unknown): LoginFailure | null {
  if (error instanceof RejectedLogin) return error.reason;
  if (!(error instanceof Problem)) return null;
  if (error.code === 'email_not_verified') return 'unverified';
  return error.code === 'too_many_requests' ? 'limited' : null;
}

/** The same work for known and unknown emails. A failure of the database must not change the response. */
async function recordFailure(
  { database, clock }: AccountDeps,
  userId: string | null,
  reason: LoginFailure,
): Promise<void> {
  const event = { type: 'login.failed', actor: 'anonymous', outcome: 'failure', reason } as const;
  await database
    .transaction((tx) => recordEvent(tx, { ...event, userId, mayBeErased: true, now: clock() }))
    .catch((error) => {
      if (!(error instanceof DatabaseUnavailable)) throw error;
    });
}

interface Login {
  readonly password: string;
  /** A keyed hash of the network, by which the account knows it. */
  readonly network: string;
  /** Client in the hashing queue. */
  readonly client: QueueClient;
}

/** Returns null if the credentials, or just an outdated hash, were replaced meanwhile. @throws Problem invalid_login */
async function tryLogin(
  deps: AccountDeps,
  credentials: Credentials | undefined,
  login: Login,
): Promise<IssuedToken | null> {
  const { database, activity } = deps;
  const verified = await verify(deps, credentials, login);
  if (typeof verified === 'string') {
    activity.loginFailed();
    throw new RejectedLogin(verified);
  }
  const { network } = login;
  const token = await database.transaction((tx) => completeLogin(deps, tx, { ...verified, network }));
  if (token !== null) activity.userActive(verified.userId);
  return token;
}

/** The hash that the password was verified against, and the one to store: another if its parameters are outdated. */
type VerifiedCredentials = Readonly<Record<'userId' | 'verifiedHash' | 'newHash', string>>;

async function verify(
  { passwords }: AccountDeps,
  found: Credentials | undefined,
  { password, client }: Login,
): Promise<VerifiedCredentials | LoginFailure> {
  const verifiedHash = found?.password_hash ?? null;
  const { matches, outdated } = await passwords.verify(password, verifiedHash, client);
  if (found === undefined) return 'unknown_email';
  if (verifiedHash === null) return 'unclaimed';
  if (!matches) return 'wrong_password';
  if (found.state !== 'active') return 'disabled';
  const newHash = outdated ? await passwords.hash(password, client) : verifiedHash;
  return { userId: found.id, verifiedHash, newHash };
}

async function completeLogin(
  deps: AccountDeps,
  tx: Tx,
  { userId, verifiedHash, newHash, network }: VerifiedCredentials & { readonly network: string },
): Promise<IssuedToken | null> {
  const person = { userId, amr: ['pwd'], network, password: { verifiedHash, newHash } } as const;
  const passed = await passGate(deps, tx, person);
  if (passed === null || !('admitted' in passed)) return null;
  const lifetimeSeconds = deps.settings.current.tokenLifetimeSeconds;
  return issueToken(tx, { userId, now: passed.admitted.authenticatedAt, lifetimeSeconds });
}
