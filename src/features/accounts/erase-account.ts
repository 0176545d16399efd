/** Erases the own account. */
import { type EraseUserDeps, eraseLockedUser } from '../users/erase-user.ts';
import { lockUserWithHash } from '../users/queries.ts';
import { type Confirmation, type ConfirmationDeps, withCurrentPassword } from './current-password.ts';

export type EraseAccountDeps = ConfirmationDeps & EraseUserDeps;

/**
 * Deletes the account with everything that is stored about the user, at once.
 * @throws Problem validation_failed (wrong password), too_many_requests, unauthorized (deleted or disabled meanwhile)
 */
export async function eraseAccount(deps: EraseAccountDeps, confirmation: Confirmation): Promise<void> {
  await withCurrentPassword(deps, confirmation, (verifiedHash) =>
    deps.database.transaction(async (tx) => {
      const user = await lockUserWithHash(tx, confirmation.user.id, verifiedHash);
      if (user === undefined) return null;
      await eraseLockedUser(deps, tx, user);
      return true;
    }),
  );
}
