/**
 * Erases a user with everything that is stored about them. A user with many rows is erased in several transactions,
 * because a long one would keep others from writing. The first one disables the user and records the erasure: if this
 * process ends, the housekeeping completes it.
 */
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { DatabaseDeps, Tx } from '../../../database/database.ts';
import { deleteClaimsOfCaller } from '../../../idempotency/queries.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { removeFromActivity } from '../../activity/active-users/active-users.ts';
import { recordEvent } from '../../events/record-event.ts';
import { deleteMessagesTo } from '../../mail/messages/queries.ts';
import { deleteMailTo } from '../../mail/queries.ts';
import {
  deleteUser,
  disableUntilErased,
  findCredentials,
  lockUser,
  lockUserWithHash,
  type UserRow,
} from '../../users/records/queries.ts';
import { changeRole } from '../../users/records/roles.ts';
import { checkVersion, requireUser, type VersionCheck } from '../../users/records/rules.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';
import { type Proof, type ProofDeps, requireProof } from '../sign-in/require-proof.ts';
import { deleteTokensOfUser } from '../tokens/queries.ts';
import {
  deleteRows,
  moveToHeir,
  readPendingErasure,
  recordErasure,
  removeHeir,
  removePendingErasure,
  writePendingErasure,
} from './delete-rows.ts';
import { deleteSignInCodes, deleteWaitingIdentities } from './queries.ts';

/** Rows per transaction: few enough that no request waits long for it, also among millions of events. */
const BATCH_SIZE = 200;

type EraseUserDeps = Pick<AccountDeps, 'database' | 'clock' | 'maxErasureWaitMs'>;

/**
 * Erases a user for the administrator, only at a version that `isExpected` accepts.
 * @throws Problem user_not_found, precondition_failed, insufficient_scope, last_owner
 */
export async function eraseUser(deps: EraseUserDeps, id: string, isExpected: VersionCheck = () => true) {
  const isErased = await deps.database.transaction((tx) => applyErasure(deps, tx, { id, isExpected }), {
    isLong: true,
  });
  if (!isErased) await finishErasures(deps, [id]);
}

/**
 * Begins an erasure in a transaction. Returns false if `finishErasures` has to be called after the commit.
 * @throws Problem user_not_found, precondition_failed, version_conflict, insufficient_scope, last_owner
 */
export async function applyErasure(
  { clock }: Pick<EraseUserDeps, 'clock'>,
  tx: Tx,
  { id, isExpected, version }: { id: string; isExpected: VersionCheck; version?: number | undefined },
): Promise<boolean> {
  const user = requireUser(await lockUser(tx, id));
  checkVersion(user, isExpected, version);
  await changeRole(tx, user, null);
  return beginErasure(tx, user, clock());
}

/** Erases a locked user. Returns false if there are too many rows for one transaction: the user is disabled then. */
export async function beginErasure(tx: Tx, user: UserRow, now: number): Promise<boolean> {
  if (await eraseBatch(tx, user, { after: '', now })) return true;
  await deleteTokensOfUser(tx, user.id);
  if (user.state === 'active') {
    await disableUntilErased(tx, user);
    await recordEvent(tx, { type: 'user.disabled', userId: user.id, reason: 'erasure', now });
  }
  return false;
}

/** Completes erasures that have begun, from some time on in the background. */
export async function finishErasures(deps: EraseUserDeps, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const finished = eraseRest(deps, ids);
  if (deps.maxErasureWaitMs === null) return finished;
  // A failure in the background is left to the housekeeping.
  finished.catch(() => {});
  const waiting = new AbortController();
  const { signal } = waiting;
  const waited = delay(deps.maxErasureWaitMs, undefined, { signal }).catch(() => {});
  await Promise.race([finished, waited]).finally(() => waiting.abort());
}

async function eraseRest({ database, clock }: DatabaseDeps, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    // Yields to requests in between: transactions on SQLite are synchronous and would block the event loop.
    const eraseNext = (tx: Tx) => continueErasure(tx, id, clock());
    while (!(await database.transaction(eraseNext, { isLong: true }))) await nextTurn();
  }
}

/** Deletes the next rows of a user whose erasure has begun. Returns whether the user is erased. */
export async function continueErasure(tx: Tx, id: string, now: number): Promise<boolean> {
  const user = await lockUser(tx, id);
  if (user !== undefined) return eraseBatch(tx, user, { after: await readPendingErasure(tx, id), now });
  // Another process has completed it.
  await removePendingErasure(tx, id);
  return true;
}

/** Deletes rows after this event, and with the last of them the user. Returns whether the user is erased. */
async function eraseBatch(tx: Tx, user: UserRow, { after, now }: { after: string; now: number }) {
  const { id } = user;
  // First, because the email may be that of another account in the next transaction.
  let deleted = await deleteRowsOfEmail(tx, user, BATCH_SIZE);
  deleted += await moveToHeir(tx, id, BATCH_SIZE - deleted);
  const rows = await deleteRows(tx, { userId: id, after, limit: BATCH_SIZE - deleted });
  deleted += rows.deleted;
  if (deleted < BATCH_SIZE) deleted += await deleteClaimsOfCaller(tx, id, BATCH_SIZE - deleted);
  if (deleted >= BATCH_SIZE) {
    await writePendingErasure(tx, id, rows.last);
    return false;
  }
  // Each statement deletes the rows that it counts: rows deleted by a foreign key would stay in the figures.
  await deleteTokensOfUser(tx, id);
  // Late, because it locks the activity of all users.
  await removeFromActivity(tx, id);
  await deleteUser(tx, id);
  await removePendingErasure(tx, id);
  await removeHeir(tx, id);
  await recordErasure(tx, { userId: id, after, now });
  return true;
}

/** Deletes messages to the address, of which others can cause some, and identities with it that wait for an answer. */
export async function deleteRowsOfEmail(tx: Tx, { id, email }: UserRow, limit: number): Promise<number> {
  if (email === null) return 0;
  const emailKey = normalizeEmail(email);
  // A record of an anonymous caller may have the address of another person, whose messages are still needed.
  const owner = await findCredentials(tx, emailKey);
  if (owner?.id !== id) return 0;
  let deleted = 0;
  for (const deleteRows of [deleteMailTo, deleteMessagesTo, deleteWaitingIdentities, deleteSignInCodes])
    if (deleted < limit) deleted += await deleteRows(tx, emailKey, limit - deleted);
  return deleted;
}

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
