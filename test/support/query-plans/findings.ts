/** Steps that a query plan must not contain for a table that grows, on either engine. */
import { USER_TABLES } from '../../../src/features/people/personal-data/user-tables.ts';

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
const COMMON_VALUES = new Set([
  'state',
  'member',
  'owns_email',
  'day',
  'kind',
  'actor',
  'priority',
  'queue',
  'endpoint_id',
]);

/** One user can have any number of rows, except in these tables. */
const BOUNDED_BY_USER: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    USER_TABLES.flatMap(({ name, bound }) => (bound === undefined ? [] : [[name, bound]])),
  ),
  tokens: '50 valid ones, and those that have expired since the last housekeeping',
  user_texts: 'one row',
  user_recovery_codes: 'at most 10',
  user_metadata_keys: 'at most 20',
  user_activity: 'one row for each of 90 days',
  earlier: 'user_activity, as statements name it',
  later: 'user_activity, as statements name it',
  next: 'user_activity, as statements name it',
};

/** Returns what is wrong with the read, or null if it reads the rows of one key only. */
export function toFinding({ table, index, equal, range }: TableRead): string | null {
  if (index === null) return `reads all of ${table}`;
  const keys = equal.filter((column) => !COMMON_VALUES.has(column));
  if (keys.some((column) => column !== 'user_id' || Object.hasOwn(BOUNDED_BY_USER, table))) return null;
  if (keys.length > 0) {
    const part = range.length > 0 ? 'a range of the rows' : 'the rows';
    return `reads ${part} of one user of ${table} by ${index}`;
  }
  const extent = equal.length + range.length === 0 ? 'all' : 'a range';
  return `reads ${extent} of ${table} by ${index}`;
}
