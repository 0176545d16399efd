/** Reads all users, page by page. */
import type { Database } from '../../database/database.ts';
import { readPage, type UserFilter, type UserRow } from './queries.ts';

const PAGE_SIZE = 500;

/** Yields the users in the order of their creation. Those that are created meanwhile are included. */
export async function* allUsers(database: Database, filter: UserFilter): AsyncGenerator<UserRow> {
  let after: string | null = null;
  for (;;) {
    const page: UserRow[] = await readPage(database, {
      after,
      limit: PAGE_SIZE,
      filter,
      order: 'created_at',
    });
    yield* page;
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)!.id;
  }
}
