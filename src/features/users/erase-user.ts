import type { Database } from '../../database/database.ts';
import { Problem } from '../../problems.ts';
import { deleteUser, lockUser } from './queries.ts';
import { checkIfMatch } from './rules.ts';

/**
 * The administrator erases a user, with tokens and activity; only at the version of `ifMatch`, if there is one.
 * @throws Problem user_not_found, precondition_failed
 */
export function eraseUser(database: Database, id: string, ifMatch: string | undefined): Promise<void> {
  return database.transaction(async (tx) => {
    const user = await lockUser(tx, id);
    if (user === undefined) throw new Problem('user_not_found');
    if (ifMatch !== undefined) checkIfMatch(user, ifMatch);
    await deleteUser(tx, id);
  });
}
