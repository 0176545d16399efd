/** Lists users, as far as the caller may see them. */
import type { Database } from '../../database/database.ts';
import type { Pagination } from '../../http/request/pagination.ts';
import type { HandlerContext } from '../../http/route.ts';
import { findUser, readPage, type UserFilter, type UserRow } from './queries.ts';
import { readFilter } from './rules.ts';

export interface ListUsersDeps {
  readonly database: Database;
  readonly pagination: Pagination;
}

export interface UserPage {
  readonly users: readonly UserRow[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  readonly isFirst: boolean;
  readonly limit: number;
  readonly filter: UserFilter;
}

/**
 * Returns nothing for anonymous callers, their own record for users, and a page of all users for the administrator.
 * @throws Problem invalid_limit, invalid_cursor, invalid_filter
 */
export async function listUsers(
  { database, pagination }: ListUsersDeps,
  { caller, query }: Pick<HandlerContext<'optional'>, 'caller' | 'query'>,
): Promise<UserPage | readonly UserRow[] | undefined> {
  // Read for every caller: a wrong parameter is worth an error response, whoever sends it.
  const filter = readFilter(query);
  const scope = `users:${filter.state ?? ''}:${filter.emailKey ?? ''}`;
  const { limit, after } = pagination.read(query, scope);
  if (caller.kind === 'anonymous') return undefined;
  if (caller.kind === 'user') {
    const own = await findUser(database, caller.userId);
    return own === undefined ? [] : [own];
  }
  // One more than the page holds tells whether there is a next page.
  const found = await readPage(database, after, limit + 1, filter);
  const users = found.slice(0, limit);
  const nextCursor = found.length > limit ? pagination.cursor(users.at(-1)!.id, scope) : null;
  return { users, nextCursor, isFirst: after === null, limit, filter };
}
