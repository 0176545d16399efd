/** Erases a user with everything that is stored about them, for the administrator and for the user. */
import type { Database, Tx } from '../../database/database.ts';
import { normalizeEmail } from '../../lib/email-address.ts';
import { deleteClaimsOfCaller } from '../../plugins/idempotency/queries.ts';
import { Problem } from '../../problems/problem.ts';
import { deleteMailTo } from '../mail/queries.ts';
import { deleteUser, findCredentials, lockUser, type UserRow } from './queries.ts';
import type { VersionCheck } from './rules.ts';
import type { RevokeTokens } from './update-user.ts';

/** Deletes the activity of a user. Injected by the app, because activity depends on users and not the reverse. */
export type ForgetActivity = (tx: Tx, userId: string) => Promise<unknown>;

export interface EraseUserDeps {
  readonly database: Database;
  readonly revokeTokens: RevokeTokens;
  readonly forgetActivity: ForgetActivity;
}

/**
 * Erases a user for the administrator, only at a version that `isExpected` accepts.
 * @throws Problem user_not_found, precondition_failed
 */
export function eraseUser(
  deps: EraseUserDeps,
  id: string,
  isExpected: VersionCheck = () => true,
): Promise<void> {
  return deps.database.transaction(async (tx) => {
    const user = await lockUser(tx, id);
    if (user === undefined) throw new Problem('user_not_found');
    if (!isExpected(user.version)) throw new Problem('precondition_failed');
    await eraseLockedUser(deps, tx, user);
  });
}

/**
 * Deletes a user that the transaction has locked. Rows with a foreign key to the user are deleted too: links,
 * security events, known networks, messages to them and stored responses with their record.
 */
export async function eraseLockedUser(
  { revokeTokens, forgetActivity }: Omit<EraseUserDeps, 'database'>,
  tx: Tx,
  user: UserRow,
): Promise<void> {
  const { id } = user;
  await deleteRequestedMail(tx, user);
  await deleteClaimsOfCaller(tx, id);
  // Each deletes what it counts: rows that a foreign key deletes would stay in the figures.
  await forgetActivity(tx, id);
  await revokeTokens(tx, id);
  await deleteUser(tx, id);
}

/** Deletes messages to the address, of which not all name the user: anybody can request some of them. */
async function deleteRequestedMail(tx: Tx, { id, email }: UserRow): Promise<void> {
  if (email === null) return;
  const emailKey = normalizeEmail(email);
  // A record of an anonymous caller may have the address of somebody else, whose messages are still needed.
  const owner = await findCredentials(tx, emailKey);
  if (owner?.id === id) await deleteMailTo(tx, emailKey);
}
