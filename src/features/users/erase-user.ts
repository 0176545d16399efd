import type { Database } from '../../database/database.ts';
import { Problem } from '../../problems.ts';
import { deleteUser, lockUser } from './queries.ts';
import type { VersionCheck } from './rules.ts';

/**
 * Deletes a user with their tokens and activity, only at a version that `isExpected` accepts.
 * @throws Problem user_not_found, precondition_failed
 */
export function eraseUser(
  database: Database,
  id: string,
  isExpected: VersionCheck = () => true,
): Promise<void> {
  return database.transaction(async (tx) => {
    const user = await lockUser(tx, id);
    if (user === undefined) throw new Problem('user_not_found');
    if (!isExpected(user.version)) throw new Problem('precondition_failed');
    await deleteUser(tx, id);
  });
}
