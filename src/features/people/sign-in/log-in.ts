/** Signs a person in with a password. */
import type { Tx } from '../../../database/database.ts';
import type { QueueClient } from '../../../lib/queues/queue-lanes.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { Problem } from '../../../problems/problem.ts';
import type { LoginFailure } from '../../events/event-types.ts';
import { type Credentials, findCredentials } from '../../users/records/queries.ts';
import { type IssuedToken, issueToken } from '../tokens/issue-token.ts';
import type { AccountDeps } from './account-deps.ts';
import { type Admitted, passGate } from './gate.ts';
import { getAttemptClient } from './hashing-client.ts';
import { findFirstLogin } from './queries.ts';
import { RejectedLogin, rethrowRecorded } from './rejected-login.ts';

/** Concurrent logins need a second round after one has replaced the hash, more only if nodes have different parameters. */
const MAX_ROUNDS = 3;

/** Issues a token or starts a session in the transaction that has admitted the person. */
export type Issue<T> = (tx: Tx, admitted: Admitted) => Promise<T>;

/** Returns the function that issues the token of a login. */
export function issueLoginToken({ settings }: Pick<AccountDeps, 'settings'>): Issue<IssuedToken> {
  return (tx, { user, authenticatedAt: now }) =>
    issueToken(tx, { userId: user.id, now, lifetimeSeconds: settings.current.tokenLifetimeSeconds });
}

interface LoginInput {
  readonly email: string;
  readonly password: string;
  /** Code of the second factor, as it was typed; undefined if none was sent. */
  readonly code?: string | undefined;
  readonly clientIp: string;
  /** Runs in the transaction of the gate, after the password was verified. */
  readonly onVerified?: (tx: Tx) => Promise<void>;
}

/**
 * Returns what `issue` returns. Unknown email, wrong password and disabled account lead to the same response in the same
 * time (OWASP Authentication Cheat Sheet). A hash with outdated parameters is replaced while the password is known.
 * @throws Problem invalid_login, too_many_requests; only after the right password: email_not_verified,
 *   second_factor_required with a challenge, invalid_totp_code; service_unavailable; PasswordsUnavailable
 */
export async function logIn<T>(deps: AccountDeps, input: LoginInput, issue: Issue<T>): Promise<T> {
  const { database, clock, loginGuard } = deps;
  const { clientIp } = input;
  const accountKey = normalizeEmail(input.email);
  const found = await findCredentials(database, accountKey);
  const userId = found?.id ?? null;
  // Read for unknown emails too, so that they take as long as known ones.
  const attempt = {
    ...{ accountKey, clientIp },
    findFirstLogin: (network: string) => findFirstLogin(database, userId ?? '', network),
  };
  const login = loginGuard.run(attempt, async ({ network, firstLoginAt }) => {
    const client = getAttemptClient({ userId, clientIp, firstLoginAt, now: clock() });
    const login = { ...input, network, client };
    let passed = await tryLogin(deps, found, { ...login, issue });
    for (let round = 1; passed === null && round < MAX_ROUNDS; round++) {
      passed = await tryLogin(deps, await findCredentials(database, accountKey), { ...login, issue });
    }
    // The password was right each time: this is not a failed attempt.
    if (passed === null) throw new Problem('service_unavailable', { retryAfterSeconds: 1 });
    if ('issued' in passed) return passed.issued;
    throw new Problem('second_factor_required', { members: { challenge: passed.challenge } });
  });
  return login.catch((error) => rethrowRecorded(deps, error, { accountKey, userId }));
}

interface Login<T> extends Pick<LoginInput, 'password' | 'code' | 'onVerified'> {
  /** A keyed hash of the network, by which the account knows it. */
  readonly network: string;
  /** Client in the hashing queue. */
  readonly client: QueueClient;
  readonly issue: Issue<T>;
}

/** Returns null if the credentials, or just an outdated hash, were replaced meanwhile. @throws Problem invalid_login */
async function tryLogin<T>(deps: AccountDeps, credentials: Credentials | undefined, login: Login<T>) {
  const { database, activity } = deps;
  const verified = await verify(deps, credentials, login);
  if (typeof verified === 'string') throw new RejectedLogin(verified);
  const { userId, ...password } = verified;
  const { code, network } = login;
  const passed = await database.transaction(async (tx) => {
    await login.onVerified?.(tx);
    const passed = await passGate(deps, tx, { userId, amr: ['pwd'], network, password, code });
    if (passed === null || 'challenge' in passed) return passed;
    return { issued: await login.issue(tx, passed.admitted) };
  });
  if (passed !== null && 'issued' in passed) activity.userActive(userId);
  return passed;
}

/** The hash that the password was verified against, and the one to store: another if its parameters are outdated. */
type VerifiedCredentials = Readonly<Record<'userId' | 'verifiedHash' | 'newHash', string>>;

async function verify(
  { passwords }: AccountDeps,
  found: Credentials | undefined,
  { password, client }: Pick<Login<unknown>, 'password' | 'client'>,
): Promise<VerifiedCredentials | LoginFailure> {
  const verifiedHash = found?.password_hash ?? null;
  const { matches, outdated, marker } = await passwords.verify(password, verifiedHash, client);
  if (found === undefined) return 'unknown_email';
  if (verifiedHash === null) return found.state === 'unclaimed' ? 'unclaimed' : 'no_password';
  if (!matches) return 'wrong_password';
  if (found.state !== 'active') return 'disabled';
  const newHash = outdated ? await passwords.hash(password, client, marker) : verifiedHash;
  return { userId: found.id, verifiedHash, newHash };
}
