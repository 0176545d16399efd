/** Tables as the database describes them, so that code for all tables needs no list of their columns. */
import type { Engine, Reader, Statement, Tx, Value } from './database.ts';

const KINDS: Readonly<Record<string, Kind>> = {
  text: 'text',
  integer: 'integer',
  bigint: 'integer',
  smallint: 'integer',
  real: 'float',
  'double precision': 'float',
  blob: 'bytes',
  bytea: 'bytes',
};

type Kind = 'text' | 'integer' | 'float' | 'bytes';

export interface Table {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly kind: Kind }[];
  /** Columns of the primary key. */
  readonly key: readonly string[];
}

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** Position in the primary key, from 1; 0 if it is not part of it. */
  readonly key: number;
}

/** Creates a statement about the schema. It is not in the list of all, because it is of one engine. */
const catalogue = <Row>(name: string, text: string): Statement<Row> => ({ name: `catalogue ${name}`, text });

/** Without virtual tables, and those in which they keep their index. */
const COLUMNS: Readonly<Record<Engine, Statement<ColumnRow>>> = {
  sqlite: catalogue(
    'columns',
    `
    select tables.name as "table", columns.name, lower(columns.type) as type, columns.pk as "key"
    from pragma_table_list as tables join pragma_table_info(tables.name) as columns
    where tables.schema = 'main' and tables.type = 'table' and tables.name not like 'sqlite\\_%' escape '\\'
    order by tables.name, columns.cid`,
  ),
  // The views of the information schema take seconds on a connection of their own.
  postgresql: catalogue(
    'columns',
    `
    select tables.relname as "table", columns.attname as name, format_type(columns.atttypid, null) as type,
      coalesce(array_position(cast(keys.indkey as smallint[]), columns.attnum) + 1, 0) as "key"
    from pg_class as tables
    join pg_attribute as columns
      on columns.attrelid = tables.oid and columns.attnum > 0 and not columns.attisdropped
    left join pg_index as keys on keys.indrelid = tables.oid and keys.indisprimary
    where tables.relkind = 'r' and tables.relnamespace = cast(current_schema() as regnamespace)
    order by tables.relname, columns.attnum`,
  ),
};

interface Reference {
  readonly table: string;
  readonly referenced: string;
}

const REFERENCES: Readonly<Record<Engine, Statement<Reference>>> = {
  sqlite: catalogue(
    'references',
    `
    select tables.name as "table", keys."table" as referenced
    from pragma_table_list as tables join pragma_foreign_key_list(tables.name) as keys
    where tables.schema = 'main'`,
  ),
  postgresql: catalogue(
    'references',
    `
    select cast(cast(conrelid as regclass) as text) as "table", cast(cast(confrelid as regclass) as text) as referenced
    from pg_constraint
    where contype = 'f' and connamespace = cast(current_schema() as regnamespace)`,
  ),
};

/** Returns the tables in an order in which rows can be inserted: each after those that it references. */
export async function listTables(reader: Reader, engine: Engine): Promise<Table[]> {
  const byTable = Map.groupBy(await reader.all(COLUMNS[engine]), ({ table }) => table);
  const references = Map.groupBy(await reader.all(REFERENCES[engine]), ({ table }) => table);
  const ordered = new Set<string>();
  const visit = (table: string) => {
    for (const { referenced } of references.get(table) ?? [])
      if (referenced !== table && !ordered.has(referenced)) visit(referenced);
    ordered.add(table);
  };
  // Both engines would otherwise return the names in the order of their own collation.
  for (const name of [...byTable.keys()].sort()) visit(name);
  return [...ordered].map((name) => toTable(name, byTable.get(name)!));
}

function toTable(name: string, rows: readonly ColumnRow[]): Table {
  const columns = rows.map(({ name: column, type }) => {
    const kind = KINDS[type];
    if (kind === undefined) throw new Error(`${name}.${column} has the unknown type ${type}`);
    return { name: column, kind };
  });
  const key = rows.filter((row) => row.key > 0).sort((a, b) => a.key - b.key);
  return { name, columns, key: key.map((row) => row.name) };
}

/** Creates a statement that is not in the list of all, because its text depends on a table. */
function tableStatement(use: string, { name }: Table, text: string): Statement<Record<string, Value>> {
  return { name: `${use} ${name}`, text };
}

const quote = (name: string) => `"${name}"`;
const list = (names: readonly string[]) => names.map(quote).join(', ');
const parameters = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `$${from + index + 1}`).join(', ');

const PAGE_SIZE = 500;

/** Returns all rows by the primary key in pages, each row as the list of its values. */
export async function* readPages(reader: Reader, table: Table): AsyncGenerator<Value[][]> {
  const { columns, key } = table;
  const names = columns.map(({ name }) => name);
  const select = (condition: string) =>
    `select ${list(names)} from ${quote(table.name)} ${condition} order by ${list(key)} limit ${PAGE_SIZE}`;
  const first = tableStatement('first', table, select(''));
  const next = tableStatement('next', table, select(`where (${list(key)}) > (${parameters(key.length)})`));
  let rows = await reader.all(first);
  while (rows.length > 0) {
    yield rows.map((row) => names.map((name) => row[name]!));
    if (rows.length < PAGE_SIZE) return;
    const last = rows.at(-1)!;
    rows = await reader.all(next, ...key.map((name) => last[name]!));
  }
}

/** Rows per statement: two sizes, so that each table needs two statements. */
const INSERT_SIZES = [500, 1];

/** Inserts rows that are lists of all values, in the order of the columns. @throws UniqueViolation */
export async function insertRows(tx: Tx, table: Table, rows: readonly (readonly Value[])[]): Promise<void> {
  const { name, columns } = table;
  const into = `insert into ${quote(name)} (${list(columns.map((column) => column.name))}) values`;
  for (let start = 0; start < rows.length; ) {
    const size = INSERT_SIZES.find((each) => each <= rows.length - start)!;
    const tuples = Array.from(
      { length: size },
      (_, row) => `(${parameters(columns.length, row * columns.length)})`,
    );
    const batch = rows.slice(start, start + size);
    await tx.run(tableStatement(`insert ${size}`, table, `${into} ${tuples.join()}`), ...batch.flat());
    start += size;
  }
}

/** Deletes all rows of a table. */
export async function deleteRows(tx: Tx, table: Table): Promise<void> {
  await tx.run(tableStatement('delete', table, `delete from ${quote(table.name)}`));
}

/** Whether one of the tables has a row. */
export async function hasRows(reader: Reader, tables: readonly Table[]): Promise<boolean> {
  for (const table of tables) {
    const row = await reader.get(tableStatement('any', table, `select 1 from ${quote(table.name)} limit 1`));
    if (row !== undefined) return true;
  }
  return false;
}

const DROP_FUNCTION = 'drop function if exists text_trigrams(text)';

/** Removes tables of these names, and what depends on them, from a database whose transactions include its schema. */
export async function dropTables(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.run({ name: 'drop tables', text: `drop table if exists ${list(names)} cascade` });
  await tx.run({ name: 'drop function', text: DROP_FUNCTION });
}
