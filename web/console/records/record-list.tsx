/** A list of records: its failure, loading and empty states, its table, and how it goes on. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { Failure, Loading } from '../../common/components.tsx';
import { Link, restorePlace } from '../../common/router.tsx';
import { useKeptFocus } from '../../common/use-kept-focus.ts';
import { MoreButton } from '../list/more-button.tsx';
import { RecordTable, type RecordTableProps } from './record-table.tsx';
import type { Pages } from './use-pages.ts';

interface RecordListProps<T extends { readonly id: string }> extends RecordTableProps<T> {
  /** Singular and plural of the noun: `event`, `events`. */
  readonly nouns: readonly [string, string];
  readonly pages: Pages<T>;
  /** Shown instead of a table without records. */
  readonly empty: ComponentChildren;
  /** Whether the list is within the panel of its section. Otherwise it has one of its own. */
  readonly isInPanel?: boolean;
  /** Content below the table; by default the button that loads more. */
  readonly footer?: ComponentChildren;
}

export function RecordList<T extends { readonly id: string }>(props: RecordListProps<T>) {
  const { nouns, pages, isInPanel = false } = props;
  const { state, shown, reload } = pages;
  const what = `the ${nouns[1]}`;
  useLayoutEffect(() => {
    if (state.state === 'ready') restorePlace();
  }, [state.state]);
  return (
    <>
      {state.state === 'failed' && (
        <Failure what={`The ${nouns[1]} could not be loaded`} error={state.error} retry={reload} />
      )}
      {shown === undefined && state.state === 'loading' && <Loading what={what} isTable={!isInPanel} />}
      {shown !== undefined && (isInPanel ? <Content {...props} /> : <Panel {...props} />)}
    </>
  );
}

function Panel<T extends { readonly id: string }>(props: RecordListProps<T>) {
  const { state, shown } = props.pages;
  const isLoading = state.state === 'loading';
  // Lists with pages have another place for the focus.
  const panel = useKeptFocus<HTMLElement>(shown?.next === undefined && shown?.items.length);
  return (
    <section
      class={`panel ${isLoading ? 'stale' : ''}`}
      aria-label={props.label}
      aria-busy={isLoading}
      tabIndex={-1}
      ref={panel}
    >
      <Content {...props} />
    </section>
  );
}

function Content<T extends { readonly id: string }>(props: RecordListProps<T>) {
  const { nouns, pages, empty, isInPanel, footer, ...table } = props;
  const records = pages.shown!.items;
  return (
    <>
      {records.length === 0 ? empty : <RecordTable {...table} records={records} />}
      {footer ?? <MoreButton pages={pages} nouns={nouns} />}
    </>
  );
}

interface EmptyListProps {
  readonly noun: string;
  readonly isFiltered: boolean;
  readonly pages: Pages<unknown>;
  /** The list without filters. */
  readonly all: string;
  /** Shown if nothing is listed without a filter. */
  readonly children: ComponentChildren;
}

/** The empty state of a list with filters, whose search may not have ended. */
export function EmptyList({ noun, isFiltered, pages, all, children }: EmptyListProps) {
  if (pages.shown?.next != null)
    return <p class="empty">Nothing matches among the newest {noun}s. Older ones were not searched yet.</p>;
  if (!isFiltered) return children;
  return (
    <p class="empty">
      No {noun} matches these filters. <Link to={all}>Show all {noun}s</Link>
    </p>
  );
}
