/** The end of a list that is loaded page by page. */
import { Failure, formatCount } from '../../common/components.tsx';
import { useKeptFocus } from '../../common/use-kept-focus.ts';
import type { Pages } from '../records/use-pages.ts';

interface MoreButtonProps {
  readonly pages: Pages<unknown>;
  /** Singular and plural of the noun: `event`, `events`. */
  readonly nouns: readonly [string, string];
}

export function MoreButton({ pages, nouns }: MoreButtonProps) {
  const { shown, more, loadMore } = pages;
  const summary = useKeptFocus<HTMLParagraphElement>(shown?.next);
  if (shown?.next === undefined || more === undefined) return null;
  const count = shown.items.length;
  const noun = nouns[count === 1 ? 0 : 1];
  return (
    <>
      {more.error && <Failure what={`More ${nouns[1]} could not be loaded`} error={more.error} />}
      <footer>
        <p class="summary" tabIndex={-1} ref={summary}>
          <span role="status">
            {formatCount(count)} {noun}
            {shown.next === null ? '' : ' so far'}
          </span>
        </p>
        {shown.next !== null && (
          <button
            type="button"
            class="compact end"
            onClick={loadMore}
            aria-busy={more.isBusy}
            aria-disabled={more.isBusy}
          >
            {count === 0 ? 'Continue the search' : 'Load more'}
          </button>
        )}
      </footer>
    </>
  );
}
