/** Links to the previous and the next page. */
import { historyState, Link } from '../../common/router.tsx';
import { type ListView, linkTo } from './list-view.ts';
import { appendToTrail, getTrail } from './trail.ts';

interface PagerProps {
  readonly view: ListView;
  /** Number of users on this page. */
  readonly count: number;
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
}

export function Pager({ view, count, next }: PagerProps) {
  const before = getTrail(historyState.value);
  const previous = before.trail.at(-1);
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
          state={{ trail: before.trail.slice(0, -1), counts: before.counts.slice(0, -1) }}
        >
          Previous
        </Link>
      )}
      {next !== null && (
        <Link
          class="button"
          to={linkTo({ ...view, cursor: next })}
          state={appendToTrail(before, view.cursor, count)}
        >
          Next
        </Link>
      )}
    </nav>
  );
}
