/** Reads all users, page by page. */
import type { Database } from '../../database/database.ts';
import type { UserFilter } from './records/list/filter.ts';
import { findUsers, type UserPage } from './records/list/find-users.ts';
import type { UserRow } from './records/queries.ts';

const PAGE_SIZE = 500;

/** Yields the users in pages, some of which may be empty. */
export async function* readUserPages(
  database: Database,
  filter: UserFilter,
): AsyncGenerator<readonly UserRow[]> {
  let after: UserPage['next'] = null;
  do {
    const request = { filter, sort: 'created_at', after, limit: PAGE_SIZE } as const;
    const page: UserPage = await findUsers(database, request);
    yield page.rows;
    after = page.next;
  } while (after !== null);
}
