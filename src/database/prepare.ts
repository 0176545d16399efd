/**
 * Functions that run one statement each. Values are given by position (`$1`) or by name (`$userId`), or as a list of
 * rows, with one text for each of a few sizes.
 */
import { type Reader, type Statement, sql, type Tx, type Value } from './database.ts';

/** Rows per statement. Shorter lists are filled up with nulls, so that a handful of texts is prepared, not 500. */
const SIZES = [1, 8, 64, 500];

export const MAX_ROWS = 500;

const forRows: (() => Statement<unknown>)[] = [];

/** Creates the statements for rows of all loaded modules: for the test of their query plans. */
export function createAllForRows(): void {
  for (const create of forRows) create();
}

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
  const statements = SIZES.map((size) => {
    let statement: Statement<Row> | undefined;
    // When it is first used: all long texts take a megabyte, and 10 ms of each start.
    const create = () => (statement ??= sql<Row>(text(given(size))));
    forRows.push(create);
    return { size, create };
  });
  return (single: readonly Value[], rows: readonly (readonly Value[])[]) => {
    const { size, create } = statements.find((candidate) => rows.length <= candidate.size)!;
    const unused = Array<null>((size - rows.length) * types.length).fill(null);
    return { statement: create(), values: [...single, ...rows.flat(), ...unused] };
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

export type StatementValues = readonly Value[] | object;
/** Arguments of a function with values of this type. */
export type ValueArguments<V> = V extends readonly Value[] ? V : [values: V];

function bind<Row>(text: string): [Statement<Row>, (given: readonly unknown[]) => readonly Value[]] {
  const names = [...new Set(text.match(/(?<=\$)[a-z]\w*/gi))];
  const statement = sql<Row>(text.replace(/\$([a-z]\w*)/gi, (_, name) => `$${names.indexOf(name) + 1}`));
  // Callers of several functions may give further values, such as a limit.
  const count = new Set(text.match(/\$\d+/g)).size;
  if (names.length === 0) return [statement, (values) => values.slice(0, count) as readonly Value[]];
  return [statement, ([values]) => names.map((name) => (values as Readonly<Record<string, Value>>)[name]!)];
}

/** Returns the function that reads the first row; of a statement that changes it, in a transaction (`R` is `Tx`). */
export function prepareGet<Row, V extends StatementValues = [], R extends Reader = Reader>(text: string) {
  const [statement, toValues] = bind<Row>(text);
  return (reader: R, ...values: ValueArguments<V>): Promise<Row | undefined> =>
    reader.get(statement, ...toValues(values));
}

/** Returns the function that reads the only value of a statement that always returns one row. */
export function prepareValue<T extends Value, V extends StatementValues = [], R extends Reader = Reader>(
  text: string,
) {
  const get = prepareGet<Readonly<Record<string, T>>, V, R>(text);
  return async (reader: R, ...values: ValueArguments<V>): Promise<T> =>
    Object.values((await get(reader, ...values))!)[0]!;
}

/** Returns the function that finds whether there is a row. */
export function prepareExists<V extends StatementValues>(text: string) {
  const get = prepareGet<object, V>(text);
  return async (reader: Reader, ...values: ValueArguments<V>): Promise<boolean> =>
    (await get(reader, ...values)) !== undefined;
}

/** Returns the function that reads all rows. */
export function prepareAll<Row, V extends StatementValues = [], R extends Reader = Reader>(text: string) {
  const [statement, toValues] = bind<Row>(text);
  return (reader: R, ...values: ValueArguments<V>): Promise<Row[]> =>
    reader.all(statement, ...toValues(values));
}

/** Returns the function that changes rows, and returns their number. */
export function prepareRun<V extends StatementValues = []>(text: string) {
  const [statement, toValues] = bind(text);
  return (tx: Tx, ...values: ValueArguments<V>): Promise<number> => tx.run(statement, ...toValues(values));
}

/** Returns the function that changes one row, and returns whether there was such a row. */
export function prepareChange<V extends StatementValues>(text: string) {
  const run = prepareRun<V>(text);
  return async (tx: Tx, ...values: ValueArguments<V>): Promise<boolean> => (await run(tx, ...values)) === 1;
}

/** Rows as lists of values in the order of the columns, as objects with the columns as members, or as the only value. */
type GivenRow = Value | readonly Value[] | object;

/**
 * Returns the functions that run a statement for rows of `given`, whose first column is never null: once for each 500 of
 * them. Single values are `$1` and so on.
 */
export function prepareForRows<
  Row = never,
  Given extends GivenRow = GivenRow,
  Single extends readonly Value[] = [],
>(columns: Readonly<Record<string, 'text' | 'bigint'>>, text: string, singleValues = 0) {
  const bindRows = sqlForRows<Row>({ columns, singleValues }, (given) => `with ${given} ${text}`);
  const names = Object.keys(columns);
  const toRow = (row: GivenRow): readonly Value[] => {
    if (Array.isArray(row)) return row;
    if (typeof row !== 'object') return [row];
    return names.map((name) => (row as Readonly<Record<string, Value>>)[name]!);
  };
  return {
    async all(reader: Reader, rows: readonly Given[], ...single: Single): Promise<Row[]> {
      const found: Row[] = [];
      for (const batch of inBatches(rows)) {
        const { statement, values } = bindRows(single, batch.map(toRow));
        found.push(...(await reader.all(statement, ...values)));
      }
      return found;
    },
    async run(tx: Tx, rows: readonly Given[], ...single: Single): Promise<number> {
      let changed = 0;
      for (const batch of inBatches(rows)) {
        const { statement, values } = bindRows(single, batch.map(toRow));
        changed += await tx.run(statement, ...values);
      }
      return changed;
    },
  };
}

/**
 * Returns the usual functions on a table of records, whose columns are the members of `Row`. `update` writes all of them
 * but the id and the time of the creation.
 */
export function prepareTable<Row extends { readonly id: string; readonly version: number }>(
  table: string,
  columns: readonly (keyof Row & string)[],
) {
  const changed = columns.filter((name) => name !== 'id' && name !== 'created_at');
  return {
    /** Returns all rows, oldest first. */
    list: prepareAll<Row>(`select ${columns} from ${table} order by id`),
    count: prepareValue<number>(`select count(*) as rows from ${table}`),
    find: prepareGet<Row, [id: string]>(`select ${columns} from ${table} where id = $1`),
    /** Returns the row, which no other transaction changes until the end of this one. */
    lock: prepareGet<Row, [id: string], Tx>(
      `update ${table} set version = version where id = $1 returning ${columns}`,
    ),
    insert: prepareRun<Row>(
      `insert into ${table} (${columns}) values (${columns.map((name) => `$${name}`)})`,
    ),
    update: prepareRun<Row>(
      `update ${table} set ${changed.map((name) => `${name} = $${name}`)} where id = $id`,
    ),
    delete: prepareRun<[id: string]>(`delete from ${table} where id = $1`),
  };
}
