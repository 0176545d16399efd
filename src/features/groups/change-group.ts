/** Creates, changes and deletes groups. */
import type { DatabaseDeps, Tx } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { Problem } from '../../problems/problem.ts';
import { alreadyTaken } from '../../problems/validation-failed.ts';
import { deleteForbiddenTokens } from '../people/tokens/queries.ts';
import {
  addRecordEvent,
  changeRecord,
  deleteInBatches,
  deleteRecord,
  type ExpectedRecord,
} from '../records/change-record.ts';
import { type GroupChanges, type GroupRow, MAX_GROUPS, type NewGroup } from './group.ts';
import * as queries from './queries.ts';

/** @throws Problem group_name_taken, too_many_groups */
export async function createGroup(tx: Tx, given: NewGroup, now: number): Promise<GroupRow> {
  const group = { id: newId(), ...given, created_at: now, updated_at: now, version: 1 };
  await queries.lockGroups(tx);
  await checkName(tx, group);
  if ((await queries.countGroups(tx)) >= MAX_GROUPS) throw new Problem('too_many_groups');
  await queries.insertGroup(tx, group);
  await addRecordEvent(tx, queries.groupStore, { type: 'group.created', row: group, now });
  return group;
}

/** @throws Problem group_not_found, group_name_taken, precondition_failed */
export function updateGroup(deps: DatabaseDeps, expected: ExpectedRecord, changes: GroupChanges) {
  const change = async (before: GroupRow, tx: Tx) => {
    const after = { ...before, ...changes };
    await checkName(tx, after);
    return after;
  };
  return changeRecord(deps, queries.groupStore, { ...expected, change });
}

/** @throws Problem group_name_taken */
async function checkName(tx: Tx, { name, id }: GroupRow): Promise<void> {
  if (await queries.isNameTaken(tx, name, id)) throw alreadyTaken('group_name_taken', 'name');
}

/**
 * Deletes a group, from when on nobody is a member: the tokens end that an application has because of it. Then deletes
 * its members and these tokens in batches, as the housekeeping does if this process ends.
 * @throws Problem group_not_found, precondition_failed
 */
export async function deleteGroup(deps: DatabaseDeps, expected: ExpectedRecord): Promise<void> {
  await deleteRecord(deps, queries.groupStore, expected);
  await deleteInBatches(deps.database, (tx, limit) => removeNext(tx, expected.id, limit));
}

/** Deletes members of a group that was deleted, at most `limit`; returns their number. */
async function removeNext(tx: Tx, groupId: string, limit: number): Promise<number> {
  const removed = await queries.deleteMembers(tx, groupId, limit);
  for (const { user_id } of removed) await deleteForbiddenTokens(tx, user_id);
  return removed.length;
}

/** Deletes members of groups that were deleted, at most `limit`; returns `limit` if there may be more. */
export async function deleteNextMembers(tx: Tx, _now: number, limit: number): Promise<number> {
  for (let after = ''; ; ) {
    const next = await queries.findNextGroup(tx, after);
    if (next === undefined) return 0;
    after = next.group_id;
    if ((await queries.groupStore.find(tx, after)) !== undefined) continue;
    // Another group may have been deleted, too.
    return (await removeNext(tx, after, limit)) > 0 ? limit : 0;
  }
}
