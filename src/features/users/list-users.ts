/** Lists users, as far as the caller may see them. */
import type { Database } from '../../database/database.ts';
import type { Pagination } from '../../http/request/pagination.ts';
import type { Caller } from '../../http/route.ts';
import { findUser, readPage, type UserFilter, type UserRow } from './queries.ts';
import { type ListQuery, readFilter } from './rules.ts';

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

/** none: for anonymous callers. own: the record of the user. page: of all users, for the administrator. */
export type VisibleUsers =
  | { readonly kind: 'none' }
  | { readonly kind: 'own'; readonly users: readonly UserRow[] }
  | ({ readonly kind: 'page' } & UserPage);

export interface ListUsersInput {
  readonly caller: Caller;
  readonly query: ListQuery;
}

/** @throws Problem invalid_limit, invalid_cursor, invalid_filter */
export async function listUsers(
  { database, pagination }: ListUsersDeps,
  { caller, query }: ListUsersInput,
): Promise<VisibleUsers> {
  // Read for every caller, so that wrong parameters are rejected for all of them.
  const filter = readFilter(query);
  const scope = `users:${filter.state ?? ''}:${filter.emailKey ?? ''}`;
  const { limit, after } = pagination.read(query, scope);
  if (caller.kind === 'anonymous') return { kind: 'none' };
  if (caller.kind === 'user') {
    const own = await findUser(database, caller.userId);
    return { kind: 'own', users: own === undefined ? [] : [own] };
  }
  // One record more than the page holds tells whether there is a next page.
  const found = await readPage(database, { after, limit: limit + 1, filter });
  const users = found.slice(0, limit);
  const nextCursor = found.length > limit ? pagination.cursor(users.at(-1)!.id, scope) : null;
  return { kind: 'page', users, nextCursor, isFirst: after === null, limit, filter };
}
