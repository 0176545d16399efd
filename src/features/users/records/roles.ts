/** Who may change people with a role. */
import { getActionContext } from '../../../callers/action-context.ts';
import type { Database, Tx } from '../../../database/database.ts';
import { lockSetting } from '../../../database/settings.ts';
import { credentialRejected, insufficientScope } from '../../../problems/challenges.ts';
import { Problem } from '../../../problems/problem.ts';
import { findUser, hasOtherOwner, lockUser, type UserRow } from './queries.ts';
import { parseUserId, requireUser } from './rules.ts';

/**
 * Only owners change people with a role: everybody else who sets passwords could become one of them.
 * @throws Problem insufficient_scope, unauthorized (the caller has lost the role meanwhile)
 */
export async function protectRole(tx: Tx, { role }: Pick<UserRow, 'role'>): Promise<void> {
  if (role === null) return;
  const { type, isOwner } = getActionContext().actor;
  if (type === 'administrator' && !isOwner) throw insufficientScope(['admin'], 'admin');
  await lockRoles(tx);
}

/** Runs `work` for an administrator, with the locked user. @throws Problem user_not_found; as `protectRole` */
export function changeAsAdministrator<T>(
  database: Database,
  id: string,
  work: (tx: Tx, user: UserRow) => Promise<T>,
): Promise<T> {
  return database.transaction(async (tx) => {
    const user = requireUser(await lockUser(tx, parseUserId(id)));
    await protectRole(tx, user);
    return work(tx, user);
  });
}

/**
 * Lets a locked user get another role or state, or be erased (null). Such changes run one after the other.
 * @throws Problem insufficient_scope, unauthorized (the caller has lost the role meanwhile), last_owner
 */
export async function changeRole(
  tx: Tx,
  before: Pick<UserRow, 'id' | 'role' | 'state'>,
  after: Pick<UserRow, 'role' | 'state'> | null,
): Promise<void> {
  if (after?.role === before.role && after.state === before.state) return;
  if (before.role === null && (after ?? before).role === null) return;
  // One of them has a role.
  await protectRole(tx, before.role === null && after !== null ? after : before);
  const wasOwner = before.role === 'owner' && before.state === 'active';
  const isOwner = after?.role === 'owner' && after.state === 'active';
  const { type, id } = getActionContext().actor;
  const isWayBackIn = type === 'administrator' && id === null;
  if (wasOwner && !isOwner && !isWayBackIn && !(await hasOtherOwner(tx, before.id)))
    throw new Problem('last_owner');
}

/** Waits for other changes of roles. @throws Problem unauthorized if the caller has lost their own meanwhile */
export async function lockRoles(tx: Tx): Promise<void> {
  await lockSetting(tx, 'roles');
  const { type, id, name } = getActionContext().actor;
  // Credentials have names.
  if (type !== 'administrator' || id === null || name !== null) return;
  const caller = await findUser(tx, id);
  if (caller?.state !== 'active' || caller.role !== 'owner') throw credentialRejected('admin');
}
