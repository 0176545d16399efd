/** Steps that a query plan must not contain for a table that grows, on either engine. */

/** One read of a table, or of one of its indexes, in a plan. */
export interface TableRead {
  readonly table: string;
  /** Null for the table itself in no order of a key. */
  readonly index: string | null;
  /** Columns of the index compared with `=`, and with `<` or `>`, that limit what is read. */
  readonly equal: readonly string[];
  readonly range: readonly string[];
}

/** Equal in a large part of the rows: a condition on them alone limits nothing. */
const COMMON_VALUES = new Set(['state', 'owns_email', 'day', 'priority']);

/** Returns what is wrong with the read, or null if it reads the rows of one key only. */
export function findingOf({ table, index, equal, range }: TableRead): string | null {
  if (index === null) return `reads all of ${table}`;
  if (equal.some((column) => !COMMON_VALUES.has(column))) return null;
  const extent = equal.length + range.length === 0 ? 'all' : 'a range';
  return `reads ${extent} of ${table} by ${index}`;
}
