/** Unlinks identities of a user. */
import type { DatabaseDeps, Tx } from '../../database/database.ts';
import { Problem } from '../../problems/problem.ts';
import { recordEvent } from '../events/record-event.ts';
import type { AccountDeps } from '../people/sign-in/account-deps.ts';
import { type Proof, requireProof } from '../people/sign-in/require-proof.ts';
import { lockUserWithHash, type UserRow } from '../users/records/queries.ts';
import { deleteIdentity, hasWayIn, type IdentityRow, listIdentities, listProviders } from './queries.ts';

/** Unlinks an identity of a locked user. @throws Problem identity_not_found, last_way_in (no other one works) */
export async function unlinkIdentity(
  { settings }: Pick<AccountDeps, 'settings'>,
  tx: Tx,
  { user: { id: userId }, id, now }: { user: Pick<UserRow, 'id'>; id: string; now: number },
): Promise<void> {
  const identity = await deleteIdentity(tx, { id, userId });
  if (identity === undefined) throw new Problem('identity_not_found');
  const hasPasswords = Number(settings.current.passwordSignIn);
  if (!(await hasWayIn(tx, { userId, hasPasswords }))) throw new Problem('last_way_in');
  const { issuer } = identity;
  await recordEvent(tx, { type: 'identity.unlinked', userId, details: { issuer }, now });
}

/** Does the same for the user. @throws also the problems of `requireProof` */
export async function unlinkOwnIdentity(deps: AccountDeps, proof: Proof, id: string): Promise<void> {
  await requireProof(deps, proof, (verifiedHash) =>
    deps.database.transaction(async (tx) => {
      const user = await lockUserWithHash(tx, proof.user.id, verifiedHash);
      if (user === undefined) return null;
      await unlinkIdentity(deps, tx, { user, id, now: deps.clock() });
      return true;
    }),
  );
}

/** Returns the identities of a user, with the names of their providers. */
export async function listNamedIdentities({ database }: Pick<DatabaseDeps, 'database'>, userId: string) {
  const providers = await listProviders(database);
  const getName = ({ issuer }: IdentityRow) =>
    providers.find((provider) => provider.issuer === issuer)?.name ?? null;
  return (await listIdentities(database, userId)).map((row) => ({ ...row, provider: getName(row) }));
}
