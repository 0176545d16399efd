/** Search by trigrams with FTS5 (https://sqlite.org/fts5.html). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Database, sql, type TextSearch, type Tx } from '../database.ts';

/** Each trigram is a string of the query, which requires all of them. Quotation marks in strings are doubled. */
const FIND: TextSearch['find'] = sql(`
  select user_texts.user_id as id
  from user_trigrams join user_texts on user_texts.id = user_trigrams.rowid
  where user_trigrams match (
    select group_concat('"' || replace(value, '"', '""') || '"', ' ') from json_each($1))
  limit $2`);

/** Pages that are written at once: some milliseconds. */
const MERGED_PAGES = 16;

const DELETIONS = sql<{ total: number }>('select total from deleted_texts');
const FORGET_DELETIONS = sql('update deleted_texts set total = 0 where total = $1');
const MERGE = sql("insert into user_trigrams (user_trigrams, rank) values ('merge', $1)");
const CHANGES = sql<{ total: number }>('select total_changes() as total');

export function textSearch({ get, transaction }: Pick<Database, 'get' | 'transaction'>): TextSearch {
  /** FTS5 only marks entries as deleted. Merging all of its segments into one leaves them out. */
  const purge: TextSearch['purge'] = async (isStopped) => {
    const { total } = (await get(DELETIONS))!;
    if (total === 0) return;
    // A negative number begins to merge all segments.
    let pages = -MERGED_PAGES;
    while (!(await transaction((tx) => merge(tx, pages), { isLong: true }))) {
      if (isStopped()) return;
      pages = MERGED_PAGES;
      await nextTurn();
    }
    // Texts that were deleted meanwhile are left for the next time.
    await transaction((tx) => tx.run(FORGET_DELETIONS, total));
  };
  return { find: FIND, purge };
}

/** Returns whether nothing is left to merge, which FTS5 shows by changing less than two rows. */
async function merge(tx: Tx, pages: number): Promise<boolean> {
  const { total: before } = (await tx.get(CHANGES))!;
  await tx.run(MERGE, pages);
  const { total } = (await tx.get(CHANGES))!;
  return total - before < 2;
}
