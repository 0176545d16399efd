import { toSearchText } from '../../lib/text/search-text.ts';
import { sql, type Tx } from '../database.ts';
import { MAX_ROWS, sqlForRows } from '../rows.ts';
import type { ReportRows } from './migration.ts';

interface SearchedUser {
  readonly id: string;
  readonly name_key: string | null;
  readonly email_key: string | null;
}

const USERS = sql<SearchedUser>(
  `select id, name_key, email_key from users where id > $1 order by id limit ${MAX_ROWS}`,
);

const COUNT = sql<{ total: number }>('select count(id) as total from users');

const INSERT = sqlForRows(
  { columns: { user_id: 'text', content: 'text' } },
  (given) =>
    `with ${given} insert into user_texts (user_id, content) select user_id, content from given where true`,
);

/** Fills `user_texts` of all users. */
export async function fillSearchTexts(tx: Tx, report: ReportRows): Promise<void> {
  const { total } = (await tx.get(COUNT))!;
  let done = 0;
  let users = await tx.all(USERS, '');
  while (users.length > 0) {
    const texts = users.map(({ id, name_key, email_key }) => [id, toSearchText(name_key, email_key)]);
    const { statement, values } = INSERT([], texts);
    await tx.run(statement, ...values);
    done += users.length;
    await report({ done, total });
    users = await tx.all(USERS, users.at(-1)!.id);
  }
}
