import type { Reader } from '../../../database/database.ts';
import { prepareForRows } from '../../../database/prepare.ts';

/** A scalar subquery, which no engine turns into a join that reads all users. */
const OWNED = prepareForRows<{ email_key: string }>(
  { email_key: 'text' },
  `select email_key from given where 1 = (
      select owns_email from users where users.email_key = given.email_key and owns_email = 1)`,
);

/** Returns which of at most 500 normalized emails have an owner. */
export async function findOwnedEmails(reader: Reader, emailKeys: readonly string[]): Promise<Set<string>> {
  return new Set((await OWNED.all(reader, emailKeys)).map(({ email_key }) => email_key));
}
