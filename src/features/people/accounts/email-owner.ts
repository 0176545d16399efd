import { type Reader } from '../../../database/database.ts';
import { normalizeOptionalEmail } from '../../../lib/text/normalize.ts';
import { Problem } from '../../../problems/problem.ts';
import { findCredentials, type UserRow } from '../../users/records/queries.ts';
import { requireUser } from '../../users/records/rules.ts';

/**
 * Requires that a user owns their email: anyone can create a record with the email of another person, who must not get
 * that record by a password or link. @throws Problem user_not_found, user_state_conflict
 */
export async function requireEmailOwner(reader: Reader, found: UserRow | undefined) {
  const user = requireUser(found);
  const { email } = user;
  const emailKey = normalizeOptionalEmail(email);
  const owner = emailKey === null ? undefined : await findCredentials(reader, emailKey);
  if (email === null || owner?.id !== user.id) {
    throw new Problem('user_state_conflict', { text: 'The record does not own its email' });
  }
  return { ...user, email };
}
