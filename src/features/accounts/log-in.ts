/** Exchanges credentials for a token. */
import type { Tx } from '../../database/database.ts';
import { normalizeEmail } from '../../lib/email-address.ts';
import { widestNetworkOf } from '../../lib/network.ts';
import { Problem } from '../../problems.ts';
import { type IssuedToken, issueToken } from '../tokens/issue-token.ts';
import { type Credentials, findCredentials, recordLogin } from '../users/queries.ts';
import { isKnownNetwork, rememberNetwork } from './queries.ts';
import type { AccountDeps } from './register.ts';

export interface LoginInput {
  readonly email: string;
  readonly password: string;
  readonly clientIp: string;
}

/**
 * Unknown email, wrong password and disabled account lead to the same response in the same time (OWASP
 * Authentication Cheat Sheet). A hash with outdated parameters is replaced while the password is known.
 * @throws Problem invalid_login, too_many_requests
 */
export async function logIn(
  deps: AccountDeps,
  { email, password, clientIp }: LoginInput,
): Promise<IssuedToken> {
  const { database, activity, loginGuard } = deps;
  const emailKey = normalizeEmail(email);
  const found = await findCredentials(database, emailKey);
  const attempt = {
    emailKey,
    clientIp,
    // Read for unknown emails too, so that they take as long as known ones.
    isKnownNetwork: (network: string) => isKnownNetwork(database, found?.id ?? '', network),
  };
  return loginGuard.run(attempt, async (network) => {
    const verified = await verify(deps, found, { password, client: widestNetworkOf(clientIp) });
    if (verified === undefined) {
      activity.loginFailed();
      throw new Problem('invalid_login');
    }
    const token = await database.transaction((tx) => completeLogin(deps, tx, { ...verified, network }));
    activity.userActive(verified.userId);
    return token;
  });
}

interface VerifiedCredentials {
  readonly userId: string;
  /** The hash that the password was verified against. */
  readonly verifiedHash: string;
  /** The hash to store: the same one, unless its parameters are outdated. */
  readonly newHash: string;
}

async function verify(
  { passwords }: AccountDeps,
  found: Credentials | undefined,
  { password, client }: { readonly password: string; readonly client: string },
): Promise<VerifiedCredentials | undefined> {
  const verifiedHash = found?.password_hash ?? null;
  const { matches, outdated } = await passwords.verify(password, verifiedHash, client);
  if (found === undefined || verifiedHash === null || !matches || found.state !== 'active') return undefined;
  const newHash = outdated ? await passwords.hash(password, client) : verifiedHash;
  return { userId: found.id, verifiedHash, newHash };
}

async function completeLogin(
  { clock, tokenLifetimeSeconds }: AccountDeps,
  tx: Tx,
  { userId, verifiedHash, newHash, network }: VerifiedCredentials & { readonly network: string },
): Promise<IssuedToken> {
  const now = clock();
  const isRecorded = await recordLogin(tx, { userId, now, verifiedHash, newHash });
  if (!isRecorded) throw new Problem('invalid_login');
  await rememberNetwork(tx, { userId, network, now });
  return issueToken(tx, { userId, now, lifetimeSeconds: tokenLifetimeSeconds });
}
