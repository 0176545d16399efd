/** Exchanges credentials for a token. */
import type { Tx } from '../../database/database.ts';
import { normalizeEmail } from '../../lib/email-address.ts';
import { Problem } from '../../problems.ts';
import { type IssuedToken, issueToken } from '../tokens/issue-token.ts';
import { type Credentials, findCredentials, recordLogin } from '../users/queries.ts';
import { isKnownNetwork, rememberNetwork } from './queries.ts';
import type { AccountDeps } from './register.ts';

export interface LoginInput {
  readonly email: string;
  readonly password: string;
}

/**
 * Unknown address, wrong password and disabled account lead to the same response in the same time (OWASP
 * Authentication Cheat Sheet). A hash with older parameters is replaced while the password is known.
 * @throws Problem invalid_login, too_many_requests
 */
export async function logIn(
  deps: AccountDeps,
  { email, password }: LoginInput,
  clientIp: string,
): Promise<IssuedToken> {
  const { database, activity, loginGuard } = deps;
  const key = normalizeEmail(email);
  const found = await findCredentials(database, key);
  const attempt = {
    emailKey: key,
    address: clientIp,
    isKnownNetwork: (network: string) => isKnownNetwork(database, found?.id ?? '', network),
  };
  return loginGuard.run(attempt, async (network) => {
    const verified = await verify(deps, found, password);
    if (verified === undefined) {
      activity.loginFailed();
      throw new Problem('invalid_login');
    }
    const token = await database.transaction((tx) => admit(deps, tx, verified, network));
    activity.userActive(verified.userId);
    return token;
  });
}

interface Verified {
  readonly userId: string;
  readonly storedHash: string;
  readonly newHash: string;
}

async function verify(
  { passwords }: AccountDeps,
  found: Credentials | undefined,
  password: string,
): Promise<Verified | undefined> {
  const storedHash = found?.password_hash ?? null;
  const { matches, outdated } = await passwords.verify(password, storedHash);
  if (found === undefined || storedHash === null || !matches || found.state !== 'active') return undefined;
  return { userId: found.id, storedHash, newHash: outdated ? await passwords.hash(password) : storedHash };
}

async function admit(
  { clock, tokenLifetimeSeconds }: AccountDeps,
  tx: Tx,
  { userId, storedHash, newHash }: Verified,
  network: string,
): Promise<IssuedToken> {
  const now = clock();
  if (!(await recordLogin(tx, userId, now, storedHash, newHash))) throw new Problem('invalid_login');
  await rememberNetwork(tx, userId, network, now);
  return issueToken(tx, userId, now, tokenLifetimeSeconds);
}
