import type { Database, Reader } from '../../database/database.ts';
import { prepareAll, prepareForRows, prepareRun, prepareValue } from '../../database/prepare.ts';
import { addGroups } from './records/group-queries.ts';
import { USER_COLUMNS, type UserRow } from './records/queries.ts';

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
    yield* await addGroups(database, page);
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)!.id;
  }
}

/** A scalar subquery, which no engine turns into a join that reads all users. */
const OWNED = prepareForRows<{ email_key: string }>(
  { email_key: 'text' },
  `select email_key from given where 1 = (
      select owns_email from users where users.email_key = given.email_key and owns_email = 1)`,
);

/** Returns which of at most 500 normalized emails have an owner. */
export async function findOwnedEmails(reader: Reader, emailKeys: readonly string[]): Promise<Set<string>> {
  return new Set((await OWNED.all(reader, emailKeys)).map(({ email_key }) => email_key));
}

export const countIdentities = prepareValue<number, [userId: string]>(
  'select count(*) as identities from identities where user_id = $1',
);

type Move = [from: string, to: string];

/** Adds a user to the groups of another one. */
export const copyGroups = prepareRun<Move>(`
  insert into group_members (user_id, group_id, user_created_at, created_at)
    select users.id, group_members.group_id, users.created_at, group_members.created_at
    from group_members cross join users where group_members.user_id = $1 and users.id = $2
    on conflict do nothing`);

export const moveIdentities = prepareRun<Move>('update identities set user_id = $2 where user_id = $1');
export const moveSessions = prepareRun<Move>(
  'update sign_in_sessions set user_id = $2, shown = null where user_id = $1',
);
export const moveTokens = prepareRun<Move>('update tokens set user_id = $2 where user_id = $1');
