/** Lists users, as far as the caller may see them. */

import type { Caller } from '../../../callers/callers.ts';
import type { Database } from '../../../database/database.ts';
import type { Pagination } from '../../../lib/routes/pagination.ts';
import type { Query } from '../../../lib/routes/query.ts';
import { findUsers } from './list/find-users.ts';
import { readFilter, readSort, toParameters } from './list/read-query.ts';
import { formatPosition, parsePosition } from './list/sorts.ts';
import { findUser, type UserRow } from './queries.ts';

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
  /** Filters and order, as the query of another page has to have them. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** none: for anonymous callers. own: the record of the user. page: of all users, for the administrator. */
export type VisibleUsers =
  | { readonly kind: 'none' }
  | { readonly kind: 'own'; readonly users: readonly UserRow[] }
  | ({ readonly kind: 'page' } & UserPage);

export interface ListUsersInput {
  readonly caller: Caller;
  readonly query: Query;
}

/** @throws Problem invalid_limit, invalid_cursor, invalid_filter */
export async function listUsers(
  { database, pagination }: ListUsersDeps,
  { caller, query }: ListUsersInput,
): Promise<VisibleUsers> {
  // Read for every caller, so that wrong parameters are rejected for all of them.
  const filter = readFilter(query);
  const sort = readSort(query);
  const parameters = toParameters(filter, sort);
  // With another name than in earlier releases, whose cursors have other positions.
  const scope = `users-by-key:${JSON.stringify(parameters)}`;
  const { limit, after } = pagination.read(query, scope);
  if (caller.kind === 'anonymous') return { kind: 'none' };
  if (caller.kind === 'user') {
    const own = await findUser(database, caller.userId);
    return { kind: 'own', users: own === undefined ? [] : [own] };
  }
  const position = after === null ? null : parsePosition(after, sort);
  const { users, next } = await findUsers(database, { filter, sort, after: position, limit });
  const nextCursor = next === null ? null : pagination.cursor(formatPosition(next), scope);
  return { kind: 'page', users, nextCursor, isFirst: after === null, limit, parameters };
}
