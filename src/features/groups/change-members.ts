/** Adds users to groups, and removes them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DatabaseDeps, Tx } from '../../database/database.ts';
import { Problem } from '../../problems/problem.ts';
import { recordEvent } from '../events/record-event.ts';
import { deleteForbiddenTokens } from '../people/tokens/queries.ts';
import { lockRecord } from '../records/change-record.ts';
import { lockUser } from '../users/records/queries.ts';
import { parseUserId, requireUser } from '../users/records/rules.ts';
import { type GroupRow, MAX_GROUPS_OF_USER } from './group.ts';
import * as queries from './queries.ts';

interface MemberChange {
  readonly action: 'add' | 'remove';
  readonly groupId: string;
  readonly userId: string;
}

/**
 * Adds a user to a group, or removes one. The removal deletes in the same transaction
 * the tokens of applications that are not for the user any more. Nothing changes if the user is a member already, or none.
 * @throws Problem group_not_found, user_not_found, too_many_groups_of_user
 */
export function changeMember({ database, clock }: DatabaseDeps, change: MemberChange): Promise<void> {
  return database.transaction(async (tx) => {
    const group = await lockRecord(tx, queries.memberStore, change.groupId);
    await applyChange(tx, { ...change, group, now: clock() });
  });
}

/** The group is locked, then the user: a group that is deleted meanwhile gets no member. */
async function applyChange(
  tx: Tx,
  { action, userId: given, group, now }: MemberChange & { readonly group: GroupRow; readonly now: number },
): Promise<void> {
  const { id: userId } = requireUser(await lockUser(tx, parseUserId(given)));
  const membership = [group.id, userId] as const;
  if ((await queries.isMember(tx, ...membership)) === (action === 'add')) return;
  if (action === 'add') {
    if ((await queries.countGroupsOfUser(tx, userId)) >= MAX_GROUPS_OF_USER)
      throw new Problem('too_many_groups_of_user');
    // Those that a change of an application has left, whose node was killed, would be valid again.
    await deleteForbiddenTokens(tx, userId);
    await queries.insertMembers(tx, [[...membership]], now);
  } else {
    await queries.deleteMember(tx, ...membership);
    await deleteForbiddenTokens(tx, userId);
  }
  const type = action === 'add' ? 'group.member_added' : 'group.member_removed';
  await recordEvent(tx, { type, userId, details: { group_id: group.id, name: group.name }, now });
}

/** The outcome for a user of a batch, with the status of the single request. */
export interface MemberResult {
  readonly user_id: string;
  readonly status: number;
  readonly error?: string;
  readonly code?: string;
}

/** Users of a transaction, which may hold up all other writes for 50 ms on SQLite. */
const STEP_SIZE = 50;

/**
 * Does the same for many users, each as by a request of its own, and returns the results in the order of the changes.
 * @throws Problem group_not_found
 */
export async function changeMembers(
  { database, clock }: DatabaseDeps,
  groupId: string,
  changes: readonly Omit<MemberChange, 'groupId'>[],
): Promise<MemberResult[]> {
  const results = new Map<string, MemberResult>();
  // In the same order in every transaction, so that two batches at once cannot deadlock.
  const sorted = changes.toSorted((a, b) => (a.userId < b.userId ? -1 : 1));
  for (let at = 0; at < sorted.length; at += STEP_SIZE) {
    await database.transaction(async (tx) => {
      const group = await lockRecord(tx, queries.memberStore, groupId);
      for (const change of sorted.slice(at, at + STEP_SIZE))
        results.set(change.userId, await catchProblem(tx, { ...change, groupId, group, now: clock() }));
    });
    await nextTurn();
  }
  return changes.map(({ userId }) => results.get(userId)!);
}

/** Problems are thrown before anything is written. */
async function catchProblem(tx: Tx, change: Parameters<typeof applyChange>[1]): Promise<MemberResult> {
  const { userId: user_id } = change;
  try {
    await applyChange(tx, change);
    return { user_id, status: 204 };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return { user_id, status: error.status, error: error.text, code: error.code };
  }
}
