/** Statements that take a list of rows as parameters, with one text for each of a few sizes. */
import { sql, type Value } from './database.ts';

/** Rows per statement. Shorter lists are filled up with nulls, so that a handful of texts is prepared, not 500. */
const SIZES = [1, 8, 64, 500];

export const MAX_ROWS = 500;

/**
 * Creates a statement that takes up to 500 rows: `text` gets the common table expression `given`. Returns the
 * function that binds values.
 */
export function sqlForRows<Row = never>(
  {
    columns,
    singleValues = 0,
  }: {
    /** Name and SQL type of each column. The first one is never null in a row. */
    readonly columns: Readonly<Record<string, 'text' | 'bigint'>>;
    /** Number of single values before the rows: `$1` and so on. */
    readonly singleValues?: number;
  },
  text: (given: string) => string,
) {
  const types = Object.values(columns);
  const tuple = (row: number) =>
    types.map((type, column) => `cast($${singleValues + row * types.length + column + 1} as ${type})`).join();
  const given = (size: number) => `given (${Object.keys(columns)}) as (
    select ${types.map((_, column) => `column${column + 1}`)}
    from (values ${Array.from({ length: size }, (_, row) => `(${tuple(row)})`)}) as listed
    where column1 is not null)`;
  const statements = SIZES.map((size) => ({ size, statement: sql<Row>(text(given(size))) }));
  return (single: readonly Value[], rows: readonly (readonly Value[])[]) => {
    const { size, statement } = statements.find((candidate) => rows.length <= candidate.size)!;
    const unused = Array<null>((size - rows.length) * types.length).fill(null);
    return { statement, values: [...single, ...rows.flat(), ...unused] };
  };
}

/** Returns the members of a JSON object that `json_each` of both engines lists as `key`: any number of texts as one value. */
export function toJsonKeys(texts: readonly string[]): string {
  return JSON.stringify(Object.fromEntries(texts.map((text) => [text, 0])));
}

export function inBatches<T>(list: readonly T[]): T[][] {
  const count = Math.ceil(list.length / MAX_ROWS);
  return Array.from({ length: count }, (_, index) => list.slice(index * MAX_ROWS, (index + 1) * MAX_ROWS));
}
