/** A list of records: its failure, loading and empty states, its table, and how it goes on. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { basePath } from '../../common/api.ts';
import { Button, capitalize, Failure, formatCount, Loading } from '../../common/components.tsx';
import { Icon, type IconName } from '../../common/icon.tsx';
import { Link, restorePlace } from '../../common/router.tsx';
import { useKeptFocus } from '../../common/use-kept-focus.ts';
import { startAction } from './create-record.tsx';
import { type RecordAction, useRecordActions } from './record-actions.tsx';
import { type Column, RecordTable, type RecordTableProps } from './record-table.tsx';
import type { StoredRecord } from './requests.ts';
import type { Pages } from './use-pages.ts';

export interface RecordListProps<T extends StoredRecord> extends Omit<RecordTableProps<T>, 'label'> {
  /** By default the plural of the noun. */
  readonly label?: string;
  /** Singular and plural of the noun: `event`, `events`. */
  readonly nouns: readonly [string, string];
  readonly pages: Pages<T>;
  /** Shown instead of a table without records; a text, as one of an empty list. */
  readonly empty: ComponentChildren;
  /** Actions of each row. */
  readonly actions?: readonly RecordAction<T>[] | undefined;
  /** Called after an action; by default, the list is loaded again. */
  readonly onChange?: () => void;
  /** Whether the list is within the panel of its section. Otherwise it has one of its own. */
  readonly isInPanel?: boolean;
  /** Content below the table; by default the button that loads more. */
  readonly footer?: ComponentChildren;
}

export function RecordList<T extends StoredRecord>({
  label,
  columns,
  actions,
  onChange,
  ...props
}: RecordListProps<T>) {
  const { nouns, pages, isInPanel = false } = props;
  const { state, shown, reload } = pages;
  const { renderButtons, result } = useRecordActions(shown?.items ?? [], onChange ?? reload);
  useLayoutEffect(() => {
    if (state.state === 'ready') restorePlace();
  }, [state.state]);
  const list = {
    ...props,
    label: label ?? capitalize(nouns[1]),
    columns: actions ? [...columns, toColumn(actions, renderButtons)] : columns,
  };
  return (
    <>
      {state.state === 'failed' && (
        <Failure what={`The ${nouns[1]} could not be loaded`} error={state.error} retry={reload} />
      )}
      {shown === undefined && state.state === 'loading' && (
        <Loading what={`the ${nouns[1]}`} isTable={!isInPanel} />
      )}
      {shown !== undefined && (isInPanel ? <Content {...list} /> : <Panel {...list} />)}
      {result}
    </>
  );
}

function toColumn<T>(
  actions: readonly RecordAction<T>[],
  renderButtons: (record: T, actions: readonly RecordAction<T>[]) => ComponentChildren,
): Column<T> {
  const plain = actions.map((action) => ({ ...action, class: 'compact plain' }));
  return {
    title: actions.length === 1 ? 'Action' : 'Actions',
    class: 'num state-cell',
    render: (record) => renderButtons(record, plain),
  };
}

type ListContent<T extends StoredRecord> = RecordListProps<T> & { readonly label: string };

function Panel<T extends StoredRecord>(props: ListContent<T>) {
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

function Content<T extends StoredRecord>(props: ListContent<T>) {
  const { nouns, pages, empty, isInPanel, footer, ...table } = props;
  const records = pages.shown!.items;
  return (
    <>
      {records.length > 0 && <RecordTable {...table} records={records} />}
      {records.length === 0 && (typeof empty === 'string' ? <p class="empty">{empty}</p> : empty)}
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
            <span key={`${count} ${shown.next}`}>
              {formatCount(count)} {noun}
              {shown.next === null ? '' : ' so far'}
            </span>
          </span>
        </p>
        {shown.next !== null && (
          <Button
            text={count === 0 ? 'Continue the search' : 'Load more'}
            class="compact end"
            onClick={loadMore}
            aria-busy={more.isBusy}
            aria-disabled={more.isBusy}
          />
        )}
      </footer>
    </>
  );
}

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  /** Label of the action of the page that begins by a button; null if the person may not start it. */
  readonly action?: string | null;
  /** Path of the document about it. */
  readonly docs: string;
  /** A sentence or two: what is listed here, and how it gets here. */
  readonly children: ComponentChildren;
}

export function Empty({ icon, title, action = null, docs, children }: EmptyProps) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      <p>{children}</p>
      <p class="row">
        {action !== null && (
          <Button icon="plus" text={action} class="primary" onClick={() => startAction(action)} />
        )}
        <a class="button" href={basePath + docs}>
          Read the documents
        </a>
      </p>
    </div>
  );
}

export type { Column } from './record-table.tsx';
export { type Pages, usePages } from './use-pages.ts';
