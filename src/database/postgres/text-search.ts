/** Search by trigrams with a GIN index of arrays (https://www.postgresql.org/docs/current/gin.html). */
import { sql, type TextSearch } from '../database.ts';

/** Vacuuming removes deleted rows from the index. */
export const TEXT_SEARCH: TextSearch = {
  find: sql(`
    select user_id as id from user_texts
    where text_trigrams(content) @> array(select json_array_elements_text(cast($1 as json)))
    limit $2`),
  purge: async () => {},
};
