/** Lists users, as far as the caller may see them. */

import type { Caller } from '../../callers/callers.ts';
import type { Database, Reader } from '../../database/database.ts';
import type { Pagination } from '../../lib/routes/pagination.ts';
import {
  findUser,
  type PageRequest,
  readPage,
  type UserFilter,
  type UserOrder,
  type UserRow,
} from './queries.ts';
import { type ListQuery, readFilter, readOrder } from './rules.ts';
import { type Position, searchUsers } from './search/search-users.ts';

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
  readonly order: UserOrder;
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
  const order = readOrder(query);
  const scope = toScope(filter, order);
  const { limit, after } = pagination.read(query, scope);
  if (caller.kind === 'anonymous') return { kind: 'none' };
  if (caller.kind === 'user') {
    const own = await findUser(database, caller.userId);
    return { kind: 'own', users: own === undefined ? [] : [own] };
  }
  const { users, next } = await findPage(database, { after, limit, filter, order });
  const nextCursor = next === null ? null : pagination.cursor(next, scope);
  return { kind: 'page', users, nextCursor, isFirst: after === null, limit, filter, order };
}

function toScope({ state, emailKey, search }: UserFilter, order: UserOrder): string {
  if (search !== null) return `users-search:${state ?? ''}:${search}`;
  if (order === '-created_at') return `users-newest:${state ?? ''}:${emailKey ?? ''}`;
  return `users:${state ?? ''}:${emailKey ?? ''}`;
}

interface FoundPage {
  readonly users: readonly UserRow[];
  /** The position after which the next page begins; null on the last page. */
  readonly next: string | null;
}

async function findPage(reader: Reader, request: PageRequest): Promise<FoundPage> {
  const { after, limit, filter } = request;
  const { search: prefix, state } = filter;
  if (prefix !== null) {
    const position = after === null ? null : parsePosition(after);
    const { users, next } = await searchUsers(reader, { prefix, state, after: position, limit });
    return { users, next: next === null ? null : `${next.id}:${next.key}` };
  }
  // One record more than the page holds tells whether there is a next page.
  const found = await readPage(reader, { ...request, limit: limit + 1 });
  const users = found.slice(0, limit);
  return { users, next: found.length > limit ? users.at(-1)!.id : null };
}

/** Ids have no colon, keys may have one. */
function parsePosition(text: string): Position {
  const colon = text.indexOf(':');
  return { id: text.slice(0, colon), key: text.slice(colon + 1) };
}
