/** Somebody signs up and is logged in. */
import type { Database, Tx } from '../../database/database.ts';
import type { ActivityRecorder } from '../activity/recorder.ts';
import { type IssuedToken, issueToken } from '../tokens/issue-token.ts';
import { type CreateUserDeps, insertOwner, prepareOwner } from '../users/create-user.ts';
import type { LoginGuard } from './login-guard.ts';

export interface AccountDeps extends CreateUserDeps {
  readonly database: Database;
  readonly activity: ActivityRecorder;
  readonly tokenLifetimeSeconds: number;
  readonly loginGuard: LoginGuard;
}

export interface Registration {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** What a registration has made. */
export interface Registered extends IssuedToken {
  readonly userId: string;
}

/**
 * Checks and hashes, which is slow, and gives the rest as a function for one transaction. The password is
 * hashed whether or not the address is taken, so that the time of the answer does not tell, and uniqueness is
 * decided by the database alone, so that of many at once exactly one succeeds.
 * @throws Problem validation_failed (password policy); inside the transaction email_taken
 */
export async function prepareRegistration(
  deps: AccountDeps,
  { name, email, password }: Registration,
): Promise<(tx: Tx) => Promise<Registered>> {
  const owner = await prepareOwner(deps, { name, email, password });
  const { id, createdAt } = owner;
  return async (tx) => {
    await insertOwner(tx, owner);
    return { ...(await issueToken(tx, id, createdAt, deps.tokenLifetimeSeconds)), userId: id };
  };
}
