/** An e-mail address and a password become a token. */
import { Problem } from '../../problems.ts';
import { emailKey } from '../../tools/email-address.ts';
import { type IssuedToken, issueToken } from '../tokens/issue-token.ts';
import { findCredentials, recordLogin } from '../users/queries.ts';
import type { AccountDeps } from './register.ts';

export interface LoginInput {
  readonly email: string;
  readonly password: string;
}

/**
 * Unknown address, wrong password and disabled account are one answer that takes one time
 * (OWASP Authentication Cheat Sheet). A hash by older parameters is replaced while the password is at hand.
 * @throws Problem invalid_login
 */
export async function logIn(
  { database, clock, passwords, activity, tokenLifetimeSeconds }: AccountDeps,
  { email, password }: LoginInput,
): Promise<IssuedToken> {
  const found = await findCredentials(database, emailKey(email));
  const storedHash = found?.password_hash ?? null;
  const { matches, outdated } = await passwords.verify(password, storedHash);
  if (found === undefined || storedHash === null || !matches || found.state !== 'active') {
    activity.loginFailed();
    throw invalidLogin();
  }
  const newHash = outdated ? await passwords.hash(password) : storedHash;
  const token = await database.transaction(async (tx) => {
    const now = clock();
    if (!(await recordLogin(tx, found.id, now, storedHash, newHash))) throw invalidLogin();
    return issueToken(tx, found.id, now, tokenLifetimeSeconds);
  });
  activity.userActive(found.id);
  return token;
}

/** RFC 9110 section 15.5.2 wants a challenge with every 401; Bearer makes no browser ask for a password. */
function invalidLogin(): Problem {
  return new Problem('invalid_login', { headers: { 'www-authenticate': 'Bearer realm="api"' } });
}
