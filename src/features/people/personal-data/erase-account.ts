/** Erases the own account. */
import { lockUserWithHash } from '../../users/records/queries.ts';
import { changeRole } from '../../users/records/roles.ts';
import { type Proof, type ProofDeps, requireProof } from '../sign-in/require-proof.ts';
import { beginErasure, type EraseUserDeps, finishErasures } from './erase-user.ts';

/**
 * Deletes the account with everything that is stored about the user, at once.
 * @throws Problem validation_failed (wrong password), too_many_requests, unauthorized (deleted or disabled meanwhile),
 *   last_owner
 */
export async function eraseAccount(deps: ProofDeps & EraseUserDeps, proof: Proof): Promise<void> {
  const { id } = proof.user;
  const isErased = await requireProof(deps, proof, (verifiedHash) =>
    deps.database.transaction(
      async (tx) => {
        const user = await lockUserWithHash(tx, id, verifiedHash);
        if (user === undefined) return null;
        await changeRole(tx, user, null);
        return beginErasure(tx, user, deps.clock());
      },
      { isLong: true },
    ),
  );
  if (!isErased) await finishErasures(deps, [id]);
}
