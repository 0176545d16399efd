/** Finds the user that an argument of a command names. */
import type { Database } from '../../database/database.ts';
import { findCredentials, findUser, type UserRow } from '../../features/users/records/queries.ts';
import { isId } from '../../lib/secrets/ids.ts';
import { normalizeEmail } from '../../lib/text/email-address.ts';
import { isStorable } from '../../lib/text/text.ts';
import { CommandError, printable } from '../output.ts';

/**
 * Returns the user with this id, or the one who owns this email: records of anonymous callers do not own theirs.
 * @throws CommandError
 */
export async function findUserByIdOrEmail(database: Database, idOrEmail: string): Promise<UserRow> {
  const id = isId(idOrEmail) ? idOrEmail : await findOwnerId(database, idOrEmail);
  const user = id === undefined ? undefined : await findUser(database, id);
  if (user === undefined) throw new CommandError(`no user has the id or email ${printable(idOrEmail)}`);
  return user;
}

async function findOwnerId(database: Database, email: string): Promise<string | undefined> {
  if (!isStorable(email)) return undefined;
  return (await findCredentials(database, normalizeEmail(email)))?.id;
}
