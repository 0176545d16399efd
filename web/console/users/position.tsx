/** The number of users that match, as far as it is known. */
import { useRef } from 'preact/hooks';
import type { Dashboard, UserCount, UserList, UserState } from '../../common/api-types.ts';
import { formatCount, formatCounted } from '../../common/components.tsx';
import { historyState, Link, withQuery } from '../../common/router.tsx';
import { isFiltered } from '../records/filters.tsx';
import { read, useData, useViewData } from '../session.ts';
import { type ListView, linkTo } from './columns.tsx';

type Totals = Dashboard['users'];

/** Returns undefined while they load. @param revision increases when users may have been changed */
export function useTotals(revision: number): Totals | undefined {
  const [loaded] = useData<Dashboard>('/api/v1/admin/dashboard', revision);
  return loaded.data?.users;
}

/** Returns the number of users who match the filter; undefined while it loads, and if the dashboard has it. */
export function useCount({ filter }: ListView, revision: number): UserCount | undefined {
  const path = isCounted(filter) ? null : withQuery('/api/v1/users/count', filter);
  const [loaded] = useViewData(`${revision} ${path}`, async (signal) =>
    path === null ? undefined : read<UserCount>(path, { signal }),
  );
  return loaded.state === 'ready' ? loaded.data : undefined;
}

/** Position of a page in its list. */
export interface Position {
  /** Number of users on the pages before; null if it is not known. */
  readonly before: number | null;
  /** Number of users on the page. */
  readonly count: number;
  /** Number of users that match; null if it is not known, or too large to be counted. */
  readonly matching: number | null;
  /** Number of users that match at least. */
  readonly minimum: number;
}

export function getPosition(
  view: ListView,
  list: UserList,
  { users, counted }: { users: Totals | undefined; counted: UserCount | undefined },
): Position {
  const before = countBefore(view.cursor, getTrail(historyState.value));
  const count = list.data.length;
  const listed = (before ?? 0) + count;
  if (list.next_cursor === null && before !== null)
    return { before, count, matching: listed, minimum: listed };
  const known = countKnown(view, users) ?? (counted?.is_exact ? counted.count : null);
  return {
    before,
    count,
    matching: known === null ? null : Math.max(known, listed),
    minimum: Math.max(counted?.count ?? 0, listed),
  };
}

/** Whether the dashboard has the number of these users: of all, and of those in a state. */
function isCounted(filter: ListView['filter']): boolean {
  return !isFiltered({ ...filter, state: null });
}

function countKnown({ filter }: ListView, users: Totals | undefined): number | null {
  if (users === undefined || !isCounted(filter)) return null;
  return filter.state == null ? users.total : users.by_state[filter.state as UserState];
}

interface TotalProps {
  readonly view: ListView;
  readonly users: Totals | undefined;
  /** Undefined before the first list is loaded. */
  readonly position: Position | undefined;
  readonly isLoading: boolean;
}

/** While another list loads, the number is that of the shown list. */
export function Total({ view, users, position, isLoading }: TotalProps) {
  const shown = useRef('\u00a0');
  if (!isLoading && users !== undefined && position !== undefined)
    shown.current = formatTotal(view, users, position);
  return <>{shown.current}</>;
}

function formatTotal({ filter }: ListView, { total }: Totals, { matching, minimum }: Position): string {
  const users = formatCounted(total, 'user');
  if (!isFiltered(filter)) return `${users} in total`;
  if (matching !== null)
    return `${formatCount(matching)} of ${users} ${matching === 1 ? 'matches' : 'match'}`;
  return `At least ${formatCount(minimum)} of ${users} match`;
}

/** Returns `51–100 of 2,020 users`, or its known part. */
export function formatPosition({ before, count, matching }: Position): string {
  if (count === 0) return 'No users';
  if (before === null) return `${formatCounted(count, 'user')} on this page`;
  if (matching === count) return formatCounted(count, 'user');
  const span = `${formatCount(before + 1)}–${formatCount(before + count)}`;
  return matching === null ? `Users ${span}` : `${span} of ${formatCounted(matching, 'user')}`;
}

interface PagerProps {
  readonly view: ListView;
  /** Number of users on this page. */
  readonly count: number;
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
}

export function Pager({ view, count, next }: PagerProps) {
  const trail = getTrail(historyState.value);
  const [previous] = trail.at(-1) ?? [];
  if (view.cursor === null && next === null) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {view.cursor !== null && (
        <Link class="button plain" to={linkTo({ ...view, cursor: null })}>
          First page
        </Link>
      )}
      {view.cursor !== null && previous !== undefined && (
        <Link
          class="button"
          to={linkTo({ ...view, cursor: previous || null })}
          state={{ trail: trail.slice(0, -1) }}
        >
          Previous
        </Link>
      )}
      {next !== null && (
        <Link
          class="button"
          to={linkTo({ ...view, cursor: next })}
          state={{ trail: [...trail, [view.cursor ?? '', count]].slice(-MAX_TRAIL) }}
        >
          Next
        </Link>
      )}
    </nav>
  );
}

/** The pages before the shown one, oldest first, which the history keeps; the first page has an empty cursor. */
type Trail = readonly (readonly [cursor: string, count: number])[];

/** Browsers limit the size of the state of an entry of the history. */
const MAX_TRAIL = 100;

function getTrail(state: unknown): Trail {
  const { trail } = (state ?? {}) as { readonly trail?: Trail };
  return Array.isArray(trail) ? trail : [];
}

/** Returns the number of users on the pages before the one with this cursor; null if it is not known. */
function countBefore(cursor: string | null, trail: Trail): number | null {
  if (cursor === null) return 0;
  return trail[0]?.[0] === '' ? trail.reduce((sum, [, count]) => sum + count, 0) : null;
}
