import type { Database, Tx } from '../../database/database.ts';
import { Problem } from '../../problems.ts';
import { deleteUser, lockUser } from './queries.ts';
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
 * Deletes a user with their tokens and activity, only at a version that `isExpected` accepts.
 * @throws Problem user_not_found, precondition_failed
 */
export function eraseUser(
  { database, revokeTokens, forgetActivity }: EraseUserDeps,
  id: string,
  isExpected: VersionCheck = () => true,
): Promise<void> {
  return database.transaction(async (tx) => {
    const user = await lockUser(tx, id);
    if (user === undefined) throw new Problem('user_not_found');
    if (!isExpected(user.version)) throw new Problem('precondition_failed');
    // Each deletes what it counts: rows that a foreign key deletes would stay in the figures.
    await forgetActivity(tx, id);
    await revokeTokens(tx, id);
    await deleteUser(tx, id);
  });
}
