/** Words by which users are found, kept together with their names and emails. */
import { sql, type Tx } from '../../../database/database.ts';
import { inBatches, sqlForRows } from '../../../database/rows.ts';
import { toSearchWords } from '../../../lib/text/search-words.ts';

/** Normalized name and email of a user. */
export interface SearchedKeys {
  readonly id: string;
  readonly nameKey: string | null;
  readonly emailKey: string | null;
}

const INSERT = sqlForRows(
  { columns: { user_id: 'text', word: 'text' } },
  (given) =>
    `with ${given} insert into user_words (user_id, word) select user_id, word from given where true`,
);

/** Stores the words of users that have none. */
export async function insertSearchWords(tx: Tx, users: readonly SearchedKeys[]): Promise<void> {
  const rows = users.flatMap(({ id, nameKey, emailKey }) =>
    toSearchWords(nameKey, emailKey).map((word) => [id, word]),
  );
  for (const batch of inBatches(rows)) {
    const { statement, values } = INSERT([], batch);
    await tx.run(statement, ...values);
  }
}

const DELETE = sql('delete from user_words where user_id = $1');

/** Replaces the words of a user whose name or email has changed. An erasure deletes them with the user. */
export async function replaceSearchWords(tx: Tx, user: SearchedKeys): Promise<void> {
  await tx.run(DELETE, user.id);
  await insertSearchWords(tx, [user]);
}
