/**
 * Reads the plans of PostgreSQL for unknown values (`generic_plan`). It chooses by the size of the tables, which are
 * small here, so what pays off only there is disabled: a whole table that is still read has no index for the statement.
 */
import pg from 'pg';
import { toFinding } from './findings.ts';
import type { ForeignKey, Planner } from './planner.ts';

const SETTINGS = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'];

/** It expects an unknown limit to be a tenth of the table. The service prepares its statements with the known one. */
const withLimit = (text: string) => text.replace(/limit \$\d+/g, 'limit 500');

interface Index {
  readonly name: string;
  readonly is_primary: boolean;
  readonly first_column: string;
}

const INDEXES = `
  select relname as name, indisprimary as is_primary, pg_get_indexdef(indexrelid, 1, true) as first_column
  from pg_index join pg_class on pg_class.oid = indexrelid`;
const TABLES = "select tablename as name from pg_tables where schemaname = 'public'";
const FOREIGN_KEYS = `
  select conrelid::regclass::text as table, attname as column
  from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any (conkey) where contype = 'f'`;

/** Connects to the database for its plans. */
export async function postgresPlanner(url: string): Promise<Planner> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const name of SETTINGS) await client.query(`set enable_${name} = off`);
  const rows = async <Row>(query: string) => (await client.query(query)).rows as Row[];
  const indexes = new Map((await rows<Index>(INDEXES)).map((index) => [index.name, index]));
  return {
    tables: async () => (await rows<{ name: string }>(TABLES)).map(({ name }) => name),
    foreignKeys: () => rows<ForeignKey>(FOREIGN_KEYS),
    holdStatistics: async () => {
      for (const { name } of await rows<{ name: string }>(TABLES))
        await client.query(`alter table ${name} set (autovacuum_enabled = false)`);
    },
    analyze: async () => void (await client.query('analyze')),
    findings: async (text, isSmall) => {
      const [row] = await rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (generic_plan, format json) ${withLimit(text)}`,
      );
      return postgresFindings(row!['QUERY PLAN'][0].Plan, { isSmall, indexes });
    },
    close: () => client.end(),
  };
}

/** A node of `explain (format json)`. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

export interface Schema {
  isSmall(table: string): boolean;
  readonly indexes: ReadonlyMap<string, Index>;
}

/** Returns what is wrong with a plan. */
export function postgresFindings(node: PlanNode, schema: Schema): string[] {
  const below = (node.Plans ?? []).flatMap((plan) => postgresFindings(plan, schema));
  const type = node['Node Type'];
  const table = node['Relation Name'];
  if (/Sort/.test(type)) return ['sorts', ...below];
  if (table === undefined || type === 'ModifyTable' || schema.isSmall(table)) return below;
  // A GIN index is only read through a bitmap, which the node below creates.
  const read = type === 'Bitmap Heap Scan' ? node.Plans![0]! : node;
  const condition = read['Index Cond'] ?? '';
  const index = schema.indexes.get(read['Index Name'] ?? '');
  if (index !== undefined && condition.includes(' @> ')) return [`matches of ${index.name}`, ...below];
  if (index === undefined) return [`all of ${table} (no index)`, ...below];
  const columns = parseColumns(condition, index.first_column);
  const finding = toFinding({ table, index: index.is_primary ? 'PRIMARY KEY' : index.name, ...columns });
  return finding === null ? below : [finding, ...below];
}

/** `((email_key = $4) AND (id > $1))`, `(ROW(state, id) > ROW($1, $2))`; a condition without the first column does not limit what is read. */
function parseColumns(condition: string, firstColumn: string) {
  const columns = (pattern: RegExp) => Array.from(condition.matchAll(pattern), ([, name]) => name!);
  const equal = columns(/\((\w+) (?:= |IS NULL)/g);
  const range = columns(/\((?:ROW\()?(\w+)(?:,[^)]*\))? [<>]=? /g);
  return [...equal, ...range].includes(firstColumn) ? { equal, range } : { equal: [], range: [] };
}
