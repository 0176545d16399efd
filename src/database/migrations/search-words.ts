import { normalizeName } from '../../lib/text/names.ts';
import { toSearchWords } from '../../lib/text/search-words.ts';
import { type Statement, sql, type Tx, type Value } from '../database.ts';
import { inBatches, MAX_ROWS, sqlForRows } from '../rows.ts';
import type { ReportRows } from './migration.ts';
import { WRITE_KEYS } from './name-keys.ts';

interface SearchedUser {
  readonly id: string;
  readonly name: string | null;
  readonly name_key: string | null;
  readonly email_key: string | null;
}

const USERS = sql<SearchedUser>(
  `select id, name, name_key, email_key from users where id > $1 order by id limit ${MAX_ROWS}`,
);

const COUNT = sql<{ total: number }>('select count(id) as total from users');

const INSERT_WORDS = sqlForRows(
  { columns: { user_id: 'text', word: 'text' } },
  (given) =>
    `with ${given} insert into user_words (user_id, word) select user_id, word from given where true`,
);

/** Fills `user_words` of all users, and replaces each `name_key` by its form without accents. */
export async function fillSearchWords(tx: Tx, report: ReportRows): Promise<void> {
  const { total } = (await tx.get(COUNT))!;
  let done = 0;
  let users = await tx.all(USERS, '');
  while (users.length > 0) {
    const current = users.map((user) => ({
      ...user,
      key: user.name === null ? null : normalizeName(user.name),
    }));
    const changed = current.filter(({ name_key, key }) => name_key !== key);
    await write(
      tx,
      WRITE_KEYS,
      changed.map(({ id, key }) => [id, key]),
    );
    const words = current.flatMap(({ id, key, email_key }) =>
      toSearchWords(key, email_key).map((word) => [id, word]),
    );
    await write(tx, INSERT_WORDS, words);
    done += users.length;
    await report({ done, total });
    users = await tx.all(USERS, users.at(-1)!.id);
  }
}

type BindRows = (
  single: readonly Value[],
  rows: readonly (readonly Value[])[],
) => { readonly statement: Statement<unknown>; readonly values: readonly Value[] };

async function write(tx: Tx, bind: BindRows, rows: readonly (readonly Value[])[]): Promise<void> {
  for (const batch of inBatches(rows)) {
    const { statement, values } = bind([], batch);
    await tx.run(statement, ...values);
  }
}
