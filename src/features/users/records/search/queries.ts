/** Texts by which users are found, kept together with their names and emails. */
import { type Database, sql, type Tx } from '../../../../database/database.ts';
import { prepareForRows } from '../../../../database/prepare.ts';
import { inBatches } from '../../../../database/rows.ts';
import { toSearchText, toTrigrams } from '../../../../lib/text/search-text.ts';

/** Normalized name and email of a user. */
export interface SearchedKeys {
  readonly id: string;
  readonly nameKey: string | null;
  readonly emailKey: string | null;
}

const INSERT = prepareForRows(
  { user_id: 'text', content: 'text' },
  `insert into user_texts (user_id, content) select user_id, content from given where true`,
);

/** Stores the texts of users that have none. */
export async function insertSearchTexts(tx: Tx, users: readonly SearchedKeys[]): Promise<void> {
  const rows = users.map(({ id, nameKey, emailKey }) => [id, toSearchText(nameKey, emailKey)]);
  for (const batch of inBatches(rows)) await INSERT.run(tx, batch);
}

const UPDATE = sql('update user_texts set content = $2 where user_id = $1');

/** Replaces the text of a user whose name or email has changed. An erasure deletes it with the user. */
export async function replaceSearchText(tx: Tx, { id, nameKey, emailKey }: SearchedKeys): Promise<void> {
  await tx.run(UPDATE, id, toSearchText(nameKey, emailKey));
}

/** Returns ids of users, among them all who match the normalized term; null if the index cannot find the term. */
export async function selectIdsByTerm(
  database: Database,
  term: string,
  limit: number,
): Promise<string[] | null> {
  const trigrams = toTrigrams(term);
  if (trigrams.length === 0) return null;
  const rows = await database.all(database.textSearch.find, JSON.stringify(trigrams), limit);
  return rows.map(({ id }) => id);
}
