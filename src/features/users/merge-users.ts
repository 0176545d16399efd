/** Merges two accounts of one person: one takes over what the other has, which is erased. */
import { type DatabaseDeps, type Tx, UniqueViolation } from '../../database/database.ts';
import { isId } from '../../lib/secrets/ids.ts';
import { Problem } from '../../problems/problem.ts';
import { validationFailed } from '../../problems/validation-failed.ts';
import { recordEvent } from '../events/record-event.ts';
import { MAX_GROUPS_OF_USER } from '../groups/group.ts';
import { countGroupsOfUser } from '../groups/queries.ts';
import { enqueueMail, enqueueNotice } from '../mail/enqueue-mail.ts';
import { revokeLinks } from '../mail/links/links.ts';
import { requireEmailOwner } from '../people/accounts/change-email.ts';
import { emailTaken } from '../people/accounts/create-user.ts';
import { isErasurePending, writeHeir } from '../people/personal-data/delete-rows.ts';
import { beginErasure, deleteRowsOfEmail } from '../people/personal-data/erase-user.ts';
import { MAX_IDENTITIES } from '../people/personal-data/sign-in-tables.ts';
import { keepNewestSessions } from '../people/sign-in/queries.ts';
import { MAX_SESSIONS } from '../people/sign-in/sessions.ts';
import { keepNewestOfPerson } from '../people/tokens/issue-token.ts';
import { type MergeChoices, mergeRecords, rejectUnlessMergeable } from './merge-record.ts';
import { copyGroups, countIdentities, moveIdentities, moveSessions, moveTokens } from './queries.ts';
import { findUser, lockUser, type UserRow, writeUser } from './records/queries.ts';
import { changeRole, protectRole } from './records/roles.ts';
import { checkVersion, hasEmail, requireUser, type VersionCheck } from './records/rules.ts';

interface Merge {
  readonly id: string;
  readonly from: string;
  readonly choices: Required<MergeChoices>;
  readonly isExpected: VersionCheck;
}

/** The locked users, as they were before. */
interface Pair {
  readonly target: UserRow;
  readonly from: UserRow;
  readonly now: number;
}

/** More than the messages that the limits of an address leave of it. */
const MAX_MESSAGES = 1_000;

/**
 * Returns the merged user. The erasure may need further transactions (`finishErasures`).
 * @throws Problem user_not_found, validation_failed, precondition_failed, user_state_conflict, email_taken,
 *   insufficient_scope (one of them has a role), last_owner
 */
export async function applyMerge({ clock }: Pick<DatabaseDeps, 'clock'>, tx: Tx, merge: Merge) {
  const { choices } = merge;
  const pair = { ...(await lockPair(tx, merge)), now: clock() };
  const { target, from } = pair;
  checkVersion(target, merge.isExpected);
  await protectRole(tx, target);
  await changeRole(tx, from, null);
  // Records of anonymous callers are deleted after a while.
  if (target.state === 'unclaimed') await requireEmailOwner(tx, target);
  rejectUnlessMergeable(target, from, choices.take.includes('sessions'));
  const after = mergeRecords(target, from, choices);
  await writeRecords(tx, pair, after);
  await moveRows(tx, pair, choices.take);
  await recordMerge(tx, pair, after);
  await beginErasure(tx, { ...from, email: null }, pair.now);
  return (await findUser(tx, target.id))!;
}

/** Locks both in the order of their ids, so that merges cannot wait for each other. */
async function lockPair(tx: Tx, { id, from }: Merge) {
  const unmergeable = () => validationFailed({ from: ['The selected from is invalid.'] });
  if (id === from || !isId(from)) throw unmergeable();
  const users = new Map<string, UserRow | undefined>();
  for (const each of [id, from].sort()) users.set(each, await lockUser(tx, each));
  const target = requireUser(users.get(id));
  const source = users.get(from);
  if (source === undefined || (await isErasurePending(tx, from))) throw unmergeable();
  if (await isErasurePending(tx, id))
    throw new Problem('user_state_conflict', { text: 'The user is being erased' });
  return { target, from: source };
}

/** Takes the email from one record before the other may get it, and revokes the links to both. @throws Problem email_taken */
async function writeRecords(tx: Tx, { target, from, now }: Pair, after: UserRow): Promise<void> {
  for (const user of [target, from]) await revokeLinks(tx, user, now);
  if (!hasEmail(from, after.email)) await deleteRowsOfEmail(tx, from, MAX_MESSAGES);
  try {
    await writeUser(tx, { before: from, after: { ...from, email: null }, now });
    await writeUser(tx, { before: target, after, now });
  } catch (error) {
    throw error instanceof UniqueViolation ? emailTaken() : error;
  }
}

async function moveRows(tx: Tx, { target, from, now }: Pair, take: MergeChoices['take'] & {}): Promise<void> {
  const ids = [from.id, target.id] as const;
  if (take.includes('submissions')) await writeHeir(tx, ...ids);
  if (take.includes('identities')) {
    await moveIdentities(tx, ...ids);
    if ((await countIdentities(tx, target.id)) > MAX_IDENTITIES)
      throw new Problem('user_state_conflict', { text: 'The user would have too many identities' });
  }
  if (take.includes('groups')) {
    await copyGroups(tx, ...ids);
    if ((await countGroupsOfUser(tx, target.id)) > MAX_GROUPS_OF_USER)
      throw new Problem('user_state_conflict', { text: 'The user would be in too many groups' });
  }
  if (!take.includes('sessions')) return;
  await moveSessions(tx, ...ids);
  await keepNewestSessions(tx, { user_id: target.id, count: MAX_SESSIONS });
  await moveTokens(tx, ...ids);
  await keepNewestOfPerson(tx, target.id, now);
}

/** Records the merge, and notifies the verified addresses of both. */
async function recordMerge(tx: Tx, { target, from, now }: Pair, after: UserRow): Promise<void> {
  const { id: userId } = target;
  const names = ['name', 'email', 'locale', 'zoneinfo', 'level', 'user_metadata', 'app_metadata'] as const;
  const changes = names.filter((name) => target[name] !== after[name]).map((name) => ({ name }));
  await recordEvent(tx, { type: 'user.merged', userId, changes, details: { from: from.id }, now });
  const data: Record<string, string> = after.email === null ? {} : { new_email: after.email };
  const notice = { kind: 'accounts_merged', data, now } as const;
  await enqueueNotice(tx, target, notice);
  if (from.email === null || from.email_verified_at === null || hasEmail(target, from.email)) return;
  await enqueueMail(tx, { ...notice, userId, email: from.email });
}
