import type { Reader } from '../../../../database/database.ts';
import { normalizeOptionalEmail } from '../../../../lib/text/email-address.ts';
import { Problem } from '../../../../problems/problem.ts';
import { findCredentials, type UserRow } from '../../records/queries.ts';
import { requireUser } from '../../records/rules.ts';

/**
 * Returns the user, who must own their email: anyone can create a record with the email of another person, and no
 * password or link may give that person the record. @throws Problem user_not_found, user_state_conflict
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
