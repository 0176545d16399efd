import { normalizeName } from '../../lib/text/names.ts';
import { sql, type Tx } from '../database.ts';
import { MAX_ROWS, sqlForRows } from '../rows.ts';
import type { ReportRows } from './migration.ts';

interface NamedUser {
  readonly id: string;
  readonly name: string;
}

const NAMED_USERS = sql<NamedUser>(
  `select id, name from users where id > $1 and name is not null order by id limit ${MAX_ROWS}`,
);

const COUNT_NAMED = sql<{ total: number }>('select count(*) as total from users where name is not null');

/** Writes the keys of at most 500 users. */
const WRITE_KEYS = sqlForRows(
  { columns: { user_id: 'text', new_key: 'text' } },
  (given) => `
    with ${given}
    update users set name_key = (select new_key from given where given.user_id = users.id)
    where id in (select user_id from given)`,
);

/** Fills `name_key` of all users. Not in SQL: `lower` of SQLite knows ASCII only, that of PostgreSQL its locale. */
export async function fillNameKeys(tx: Tx, report: ReportRows): Promise<void> {
  const { total } = (await tx.get(COUNT_NAMED))!;
  let done = 0;
  let users = await tx.all(NAMED_USERS, '');
  while (users.length > 0) {
    const keys = users.map(({ id, name }) => [id, normalizeName(name)] as const);
    const { statement, values } = WRITE_KEYS([], keys);
    await tx.run(statement, ...values);
    done += users.length;
    await report({ done, total });
    users = await tx.all(NAMED_USERS, users.at(-1)!.id);
  }
}
