import type { Database } from '../../../database/database.ts';
import { prepareAll } from '../../../database/prepare.ts';
import { USER_COLUMNS, type UserRow } from '../records/queries.ts';

type ExportedUser = UserRow & { readonly password_hash: string | null };

const readPage = prepareAll<ExportedUser, [after: string, limit: number]>(`
  select ${USER_COLUMNS}, users.password_hash from users
  where id > $1 and owns_email = 1 order by id limit $2`);

const PAGE_SIZE = 500;

/** Yields all accounts in the order of their creation, without records of anonymous callers. */
export async function* readAllAccounts(database: Database): AsyncGenerator<ExportedUser> {
  let after = '';
  for (;;) {
    const page = await readPage(database, after, PAGE_SIZE);
    yield* page;
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)!.id;
  }
}
