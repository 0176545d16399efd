/** The effects of linking an identity on an account, and of unlinking it. */
import type { DatabaseDeps, Tx } from '../../../database/database.ts';
import { isId, newId } from '../../../lib/secrets/ids.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueueNotice } from '../../mail/enqueue-mail.ts';
import { beginErasure } from '../../people/personal-data/erase-user.ts';
import { MAX_IDENTITIES } from '../../people/personal-data/sign-in-tables.ts';
import type { AccountDeps } from '../../people/sign-in/account-deps.ts';
import { listLiveSessions } from '../../people/sign-in/queries.ts';
import { changeWithProof, type Proof } from '../../people/sign-in/require-proof.ts';
import { requireWayIn } from '../../people/sign-in/way-in-queries.ts';
import { type UserRow, writeUser } from '../../users/records/queries.ts';
import { changeRole } from '../../users/records/roles.ts';
import * as queries from '../queries.ts';
import { SignInFailure } from '../sign-in-failure.ts';
import { type Arrival, Outdated } from './decide-linking.ts';

/** Links the identity to a user, with a notice to one who had an account before. @throws Outdated; Problem user_state_conflict */
export async function linkIdentity(
  tx: Tx,
  { identity, provider }: Arrival,
  { user, now, isNoticed }: { readonly user: UserRow; readonly now: number; readonly isNoticed: boolean },
): Promise<void> {
  const { id: userId } = user;
  if ((await queries.countIdentities(tx, userId)) >= MAX_IDENTITIES)
    throw new Problem('user_state_conflict', { text: 'The user has the maximum number of identities' });
  const { issuer, subject, email } = identity;
  const row = { id: newId(), user_id: userId, issuer, subject, email, created_at: now, last_used_at: now };
  if ((await queries.insertIdentity(tx, row)) === 0) throw new Outdated();
  const data = { provider: provider.name };
  await recordEvent(tx, { type: 'identity.linked', userId, actor: 'user', details: data, now });
  if (isNoticed) await enqueueNotice(tx, user, { kind: 'identity_linked', data, now });
}

/** Links to the locked account of a session, unless it has ended meanwhile: a new password ends it. @throws SignInFailure */
export async function linkToSession(
  tx: Tx,
  arrival: Arrival,
  { user, session, now }: { user: UserRow | null; session: { readonly id: string }; now: number },
): Promise<{ readonly kind: 'linked' }> {
  const live = user === null ? [] : await listLiveSessions(tx, user.id, now);
  if (user === null || !live.some(({ id }) => id === session.id))
    throw new SignInFailure('request', arrival.provider.name);
  await linkIdentity(tx, arrival, { user, now, isNoticed: true });
  return { kind: 'linked' };
}

/** Erases an account as `beginErasure`, and frees its email at once for the person who has proved it. @throws Problem last_owner */
export async function eraseForOwner(
  tx: Tx,
  user: UserRow,
  { provider, now }: Pick<Arrival, 'provider'> & { readonly now: number },
): Promise<boolean> {
  await changeRole(tx, user, null);
  const details = { provider: provider.name };
  await recordEvent(tx, { type: 'account.taken_over', userId: user.id, details, now });
  if (await beginErasure(tx, user, now)) return true;
  const before = { ...user, state: 'disabled' } as const;
  await writeUser(tx, { before, after: { ...before, email: null }, now });
  return false;
}

/** Unlinks an identity of a locked user. @throws Problem identity_not_found, last_way_in (no other one works) */
export async function unlinkIdentity(
  deps: Pick<AccountDeps, 'settings' | 'mail' | 'relyingParty'>,
  tx: Tx,
  { user: { id: userId }, id, now }: { user: Pick<UserRow, 'id'>; id: string; now: number },
): Promise<void> {
  const identity = isId(id) ? await queries.deleteIdentity(tx, { id, userId }) : undefined;
  if (identity === undefined) throw new Problem('identity_not_found');
  await requireWayIn(deps, tx, userId);
  const { issuer } = identity;
  await recordEvent(tx, { type: 'identity.unlinked', userId, details: { issuer }, now });
}

/** Does the same for the user. @throws also the problems of `requireProof` */
export async function unlinkOwnIdentity(deps: AccountDeps, proof: Proof, id: string): Promise<void> {
  await changeWithProof(deps, proof, async (tx, user) => {
    await unlinkIdentity(deps, tx, { user, id, now: deps.clock() });
    return true;
  });
}

/** Returns the identities of a user, with the names of their providers. */
export async function listNamedIdentities({ database }: Pick<DatabaseDeps, 'database'>, userId: string) {
  const providers = await queries.listProviders(database);
  const getName = ({ issuer }: queries.IdentityRow) =>
    providers.find((provider) => provider.issuer === issuer)?.name ?? null;
  return (await queries.listIdentities(database, userId)).map((row) => ({ ...row, provider: getName(row) }));
}
