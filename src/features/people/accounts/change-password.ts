/** Changes the password of a user who knows the current one. */
import type { Tx } from '../../../database/database.ts';
import { lockUserWithHash, type UserRow } from '../../users/records/queries.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';
import { type Proof, requireProof } from '../sign-in/require-proof.ts';
import { setPassword } from './set-password.ts';

interface PasswordChange extends Proof {
  readonly password: string;
  /** The token of the request, which stays valid with its session; without it, all end. */
  readonly tokenHash?: string | undefined;
  /** Runs in the transaction that has stored the password. */
  readonly onStored?: (tx: Tx, user: UserRow) => Promise<void>;
}

/**
 * Stores the new password, which may be the first one. All other tokens and all pending links of the user are revoked.
 * @throws Problem validation_failed (wrong current password, password policy), too_many_requests, unauthorized
 */
export async function changePassword(deps: AccountDeps, change: PasswordChange): Promise<void> {
  const { database, passwords, passwordPolicy } = deps;
  const { user, password } = change;
  await passwordPolicy.check(password, { name: user.name ?? '', email: user.email ?? '' });
  let passwordHash: string | null = null;
  await requireProof(deps, change, async (verifiedHash, client) => {
    passwordHash ??= await passwords.hash(password, client);
    const hashed = { ...change, verifiedHash, passwordHash, now: deps.clock() };
    return database.transaction((tx) => storeChange(tx, hashed));
  });
}

/** Returns null if another request has replaced the hash. */
async function storeChange(
  tx: Tx,
  change: PasswordChange & { verifiedHash: string | null; passwordHash: string; now: number },
): Promise<true | null> {
  const { passwordHash, tokenHash, now } = change;
  const user = await lockUserWithHash(tx, change.user.id, change.verifiedHash);
  if (user === undefined) return null;
  const effect = { event: 'password.changed', actor: 'user', keptTokenHash: tokenHash } as const;
  await setPassword(tx, user, { ...effect, passwordHash, now });
  await change.onStored?.(tx, user);
  return true;
}
