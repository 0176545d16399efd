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

/** Returns what the read is limited to: an index, or the table by its primary key. Null if to the rows of one key. */
export function toFinding({ table, index, equal, range }: TableRead): string | null {
  if (index === null) return `all of ${table} (no index)`;
  const place = index === 'PRIMARY KEY' ? table : index;
  const keys = equal.filter((column) => !COMMON_VALUES.has(column));
  if (keys.some((column) => column !== 'user_id' || Object.hasOwn(BOUNDED_BY_USER, table))) return null;
  if (keys.length > 0) return `${range.length > 0 ? 'range' : 'rows'} of one user in ${place}`;
  return `${equal.length + range.length === 0 ? 'all' : 'range'} of ${place}`;
}
