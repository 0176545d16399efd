/** Reads all users, page by page. */
import type { Database } from '../../database/database.ts';
import { readPage, type UserFilter, type UserRow } from '../users/queries.ts';
import { type FoundUsers, searchUsers } from '../users/search/search-users.ts';

const PAGE_SIZE = 500;

/** Yields the users in the order of the list. Those that are created meanwhile are included. */
export async function* allUsers(database: Database, filter: UserFilter): AsyncGenerator<UserRow> {
  for await (const page of userPages(database, filter)) yield* page;
}

/** Yields the users in pages, some of which may be empty. */
export function userPages(database: Database, filter: UserFilter): AsyncGenerator<readonly UserRow[]> {
  const { search, state } = filter;
  return search === null ? listedPages(database, filter) : foundPages(database, search, state);
}

async function* listedPages(database: Database, filter: UserFilter): AsyncGenerator<readonly UserRow[]> {
  let after: string | null = null;
  for (;;) {
    const page: UserRow[] = await readPage(database, {
      after,
      limit: PAGE_SIZE,
      filter,
      order: 'created_at',
    });
    yield page;
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)!.id;
  }
}

async function* foundPages(
  database: Database,
  prefix: string,
  state: UserFilter['state'],
): AsyncGenerator<readonly UserRow[]> {
  let after: FoundUsers['next'] = null;
  do {
    const page: FoundUsers = await searchUsers(database, { prefix, state, after, limit: PAGE_SIZE });
    yield page.users;
    after = page.next;
  } while (after !== null);
}
