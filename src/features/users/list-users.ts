/** The list of users, as far as the caller may see it. */
import type { Database } from '../../database/database.ts';
import { type Page, type Pagination, pageLinks } from '../../http/request/pagination.ts';
import type { HandlerContext } from '../../http/route.ts';
import { findUser, readPage, type UserFilter } from './queries.ts';
import { readFilter } from './rules.ts';
import { type UserView, userView } from './user-view.ts';

export interface ListUsersDeps {
  readonly database: Database;
  readonly pagination: Pagination;
  readonly publicUrl: string;
}

export interface ListedUsers {
  /** Left out where the caller may not see any. */
  readonly data?: readonly UserView[];
  /** Of the administrator's list; null on its last page. */
  readonly next_cursor?: string | null;
  /** The Link header, when there is more than one page. */
  readonly link?: string | undefined;
}

/**
 * What the caller may see: strangers nobody, users themselves, the administrator everybody, page by page.
 * @throws Problem invalid_limit, invalid_cursor, invalid_filter
 */
export async function listUsers(
  deps: ListUsersDeps,
  { caller, query }: Pick<HandlerContext<'optional'>, 'caller' | 'query'>,
): Promise<ListedUsers> {
  // Read for everybody: a wrong parameter is a mistake worth telling, whoever makes it.
  const filter = readFilter(query);
  const scope = `users:${filter.state ?? ''}:${filter.emailKey ?? ''}`;
  const page = deps.pagination.read(query, scope);
  if (caller.kind === 'anonymous') return {};
  if (caller.kind === 'admin') return listAll(deps, filter, scope, page);
  const own = await findUser(deps.database, caller.userId);
  return { data: own === undefined ? [] : [userView(own)] };
}

async function listAll(
  { database, pagination, publicUrl }: ListUsersDeps,
  filter: UserFilter,
  scope: string,
  { limit, after }: Page,
): Promise<ListedUsers> {
  // One more than is shown tells whether there is a next page.
  const found = await readPage(database, after, limit + 1, filter);
  const users = found.slice(0, limit);
  const next = found.length > limit ? pagination.cursor(users.at(-1)!.id, scope) : null;
  const filters = {
    ...(filter.state === null ? {} : { state: filter.state }),
    ...(filter.emailKey === null ? {} : { email: filter.emailKey }),
  };
  return {
    data: users.map(userView),
    next_cursor: next,
    link: pageLinks(`${publicUrl}/api/v1/users`, filters, limit, next, after === null),
  };
}
