/** Changes a user on behalf of the administrator: the record, and whether the user can log in. */
import { type Database, type Tx, UniqueViolation } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { Problem } from '../../problems.ts';
import { emailTaken } from './create-user.ts';
import { findUser, lockUser, type UserRow, updateUser as writeUser } from './queries.ts';
import {
  applyChanges,
  checkVersion,
  isUnchanged,
  normalizeOptionalEmail,
  type UserChanges,
  type VersionCheck,
} from './rules.ts';

/** Revokes every token of a user. Injected by the app, because tokens depend on users and not the reverse. */
export type RevokeTokens = (tx: Tx, userId: string) => Promise<unknown>;

export interface UpdateUserDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly revokeTokens: RevokeTokens;
}

/**
 * Returns the record after the change. Changes without effect keep the version.
 * @throws Problem user_not_found, precondition_required, precondition_failed, version_conflict, email_taken,
 *   validation_failed
 */
export async function updateUser(
  { database, clock, revokeTokens }: UpdateUserDeps,
  id: string,
  changes: UserChanges,
  isExpected: VersionCheck | undefined,
): Promise<UserRow> {
  const change = database.transaction(async (tx) => {
    // Locked, so that what the precondition is checked against is what is changed (RFC 9110 section 13.1.1).
    const before = await lockUser(tx, id);
    if (before === undefined) throw new Problem('user_not_found');
    checkVersion(before, isExpected, changes.version);
    const after = applyChanges(before, changes);
    if (isUnchanged(before, after)) return before;
    await writeUser(tx, after, normalizeOptionalEmail(after.email), clock());
    // OWASP ASVS 5.0, 7.4.2: a disabled account has no live session.
    if (after.state === 'disabled') await revokeTokens(tx, id);
    return (await findUser(tx, id))!;
  });
  return change.catch((error) => {
    throw error instanceof UniqueViolation ? emailTaken() : error;
  });
}
