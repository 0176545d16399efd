import type { Caller } from '../../../callers/callers.ts';
import type { Database } from '../../../database/database.ts';
import { findUsers, type UserPage, type UserRequest } from './list/find-users.ts';
import { findUser } from './queries.ts';

/** Returns the users that the caller may see: all of the filter, the own record, or none. */
export async function listUsers(database: Database, caller: Caller, request: UserRequest): Promise<UserPage> {
  if (caller.kind === 'admin') return findUsers(database, request);
  const own = caller.kind === 'user' ? await findUser(database, caller.userId) : undefined;
  return { rows: own === undefined ? [] : [own], next: null };
}
