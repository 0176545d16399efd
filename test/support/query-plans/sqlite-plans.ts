/** Reads the plans of SQLite: `explain query plan` (https://sqlite.org/eqp.html). */
import SQLite from 'better-sqlite3';
import { toSqliteText } from '../../../src/database/sqlite/connection.ts';
import { toFinding } from './findings.ts';
import type { Planner } from './planner.ts';

/** Opens the file for its plans. */
export function sqlitePlanner(file: string): Planner {
  const sqlite = new SQLite(file, { fileMustExist: true });
  const column = (query: string) => sqlite.prepare(query).pluck().all() as string[];
  // Virtual tables and their shadow tables are of other types.
  const tables = column(
    "select name from pragma_table_list where type = 'table' and name not like 'sqlite_%'",
  );
  return {
    tables: async () => tables,
    foreignKeys: async () =>
      tables.flatMap((table) =>
        column(`select "from" from pragma_foreign_key_list('${table}')`).map((key) => ({
          table,
          column: key,
        })),
      ),
    holdStatistics: async () => {},
    analyze: async () => void sqlite.exec('analyze'),
    findings: async (text, isSmall) => {
      const { text: prepared, order } = toSqliteText(text);
      const query = sqlite.prepare<unknown[], { detail: string }>(`explain query plan ${prepared}`);
      return sqliteFindings(
        query.all(order.map(() => null)).map(({ detail }) => detail),
        isSmall,
      );
    },
    close: async () => void sqlite.close(),
  };
}

/** Steps that read no table: they name a subquery, or join the steps below them. */
const NO_READ =
  /^(?:(?:CORRELATED )?(?:LIST|SCALAR) SUBQUERY \d+|CO-ROUTINE \S+|MATERIALIZE \S+|CREATE BLOOM FILTER|BLOOM FILTER ON .*|SEARCH listed USING AUTOMATIC PARTIAL COVERING INDEX .*|MULTI-INDEX OR|INDEX \d+|SCAN (?:\d+ )?CONSTANT ROWS?|COMPOUND QUERY|LEFT-MOST SUBQUERY|UNION ALL)$/;
const READ =
  /^(?:SCAN|SEARCH) (\S+)(?: USING (?:(?:COVERING )?INDEX (\S+)|(?:INTEGER )?(PRIMARY KEY)))?(?: \((.*)\))?(?: LEFT-JOIN)?$/;
/** A search of FTS5, whose conditions follow the colon. Those of functions that return rows have no such name. */
const MATCH = /^SCAN (\w+) VIRTUAL TABLE INDEX \d+:(M\d+)?$/;
const FUNCTION = /^SCAN json_each VIRTUAL TABLE INDEX \d+:$/;
const SORT = /^USE TEMP B-TREE FOR /;

/** Returns what is wrong with a plan. A step of an unknown kind is a finding, too. */
export function sqliteFindings(plan: readonly string[], isSmall: (table: string) => boolean): string[] {
  const subqueries = new Set(plan.map((step) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)$/.exec(step)?.[1]));
  return plan.flatMap((step) => {
    if (SORT.test(step)) return 'sorts';
    if (NO_READ.test(step) || FUNCTION.test(step)) return [];
    const match = MATCH.exec(step);
    if (match !== null) return `${match[2] === undefined ? 'all' : 'matches'} of ${match[1]}`;
    const read = READ.exec(step);
    if (read === null) return `unknown step: ${step}`;
    const [, table = '', index, primaryKey, conditions = ''] = read;
    if (subqueries.has(table) || isSmall(table)) return [];
    return toFinding({ table, index: index ?? primaryKey ?? null, ...parseColumns(conditions) }) ?? [];
  });
}

/** `email_key=? AND id>?`, `(state,id)>(?,?)`; in a skip-scan `ANY(day) AND user_id=?`, which reads all of the index. */
function parseColumns(conditions: string) {
  const columns = (pattern: RegExp) => Array.from(conditions.matchAll(pattern), ([, name]) => name!);
  if (conditions.includes('ANY(')) return { equal: [], range: [] };
  return { equal: columns(/(\w+)=\?/g), range: columns(/(\w+)(?:,[\w,]+\))?[<>]\(?\?/g) };
}
