/** Changes a user on behalf of the administrator: the record, and whether the user can log in. */
import { type DatabaseDeps, type Tx, UniqueViolation } from '../../database/database.ts';
import { normalizeEmail } from '../../lib/text/normalize.ts';
import { type RecordedChange, recordEvent } from '../events/record-event.ts';
import { revokeLinks } from '../mail/links/links.ts';
import { recordEmailChange, requireEmailOwner } from '../people/accounts/change-email.ts';
import { emailTaken } from '../people/accounts/create-user.ts';
import { deleteTokensOfUser } from '../people/tokens/queries.ts';
import { METADATA_MEMBERS } from './records/metadata.ts';
import { findCredentials, findUser, lockUser, type UserRow, writeUser } from './records/queries.ts';
import { changeRole, protectRole } from './records/roles.ts';
import * as rules from './records/rules.ts';

interface UserUpdate {
  readonly id: string;
  readonly changes: rules.UserChanges;
  readonly isExpected: rules.VersionCheck;
}

/**
 * Returns the record after the change. Changes without effect keep the version.
 * @throws Problem user_not_found, precondition_failed, version_conflict, email_taken, validation_failed,
 *   insufficient_scope (the user has or gets a role), last_owner, user_state_conflict
 */
export async function updateUser(deps: DatabaseDeps, update: UserUpdate): Promise<UserRow> {
  try {
    return await deps.database.transaction((tx) => applyUpdate(deps, tx, update));
  } catch (error) {
    throw error instanceof UniqueViolation ? emailTaken() : error;
  }
}

/**
 * Changes the user in a transaction. Every problem is thrown before anything is written.
 * @throws Problem as `updateUser`, UniqueViolation if another transaction takes the email at the same moment
 */
export async function applyUpdate(
  { clock }: Pick<DatabaseDeps, 'clock'>,
  tx: Tx,
  { id, changes, isExpected }: UserUpdate,
): Promise<UserRow> {
  // Locked, so that the version that is checked is the version that is changed (RFC 9110 section 13.1.1).
  const before = rules.requireUser(await lockUser(tx, id));
  rules.checkVersion(before, isExpected, changes.version);
  const after = rules.applyChanges(before, changes);
  if (rules.isUnchanged(before, after)) return before;
  await protectRole(tx, before);
  await changeRole(tx, before, after);
  // Records of anonymous callers are deleted after a while.
  if (after.role !== null && before.state === 'unclaimed') await requireEmailOwner(tx, before);
  await checkEmail(tx, before, after);
  const now = clock();
  await writeUser(tx, { before, after, now });
  await recordChanges(tx, { before, after, now });
  // OWASP ASVS 5.0, 7.4.2: a disabled account has no active sessions.
  if (after.state === 'disabled') await deleteTokensOfUser(tx, id);
  // Links prove access to the earlier address, or lead to one that the administrator did not choose.
  if (after.state === 'disabled' || after.email !== before.email) await revokeLinks(tx, before, now);
  // The email of an unclaimed record is not verified.
  if (before.state !== 'unclaimed' && !rules.hasEmail(before, after.email)) {
    await recordEmailChange(tx, before, { email: after.email, actor: 'administrator', now });
  }
  return (await findUser(tx, id))!;
}

/** A violation of the unique index would end the transaction, and other changes with it. @throws Problem email_taken */
async function checkEmail(tx: Tx, before: UserRow, after: UserRow): Promise<void> {
  if (after.email === null || rules.hasEmail(before, after.email)) return;
  if ((await findCredentials(tx, normalizeEmail(after.email))) === undefined) return;
  // The record of an anonymous caller does not own its email, and may have that of an account.
  const owner = before.email === null ? undefined : await findCredentials(tx, normalizeEmail(before.email));
  if (owner?.id === before.id) throw emailTaken();
}

/** Records the values of the state, the level and the role only: all others are personal data. */
async function recordChanges(
  tx: Tx,
  { before, after, now }: { before: UserRow; after: UserRow; now: number },
): Promise<void> {
  const { id: userId, state } = after;
  if (state !== before.state) {
    const type = state === 'disabled' ? 'user.disabled' : 'user.enabled';
    const changes = [{ name: 'state', from: before.state, to: state }];
    await recordEvent(tx, { type, userId, changes, now });
  }
  const names = (['name', 'email', 'locale', 'zoneinfo', ...METADATA_MEMBERS] as const).filter(
    (name) => before[name] !== after[name],
  );
  const changes: RecordedChange[] = names.map((name) => ({ name }));
  for (const name of ['level', 'role'] as const)
    if (before[name] !== after[name]) changes.push({ name, from: before[name], to: after[name] });
  if (changes.length > 0) await recordEvent(tx, { type: 'user.updated', userId, changes, now });
}
