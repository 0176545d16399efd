/** A table of records, which are cards in narrow windows. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { basePath } from '../../common/api.ts';
import { Button } from '../../common/components.tsx';
import { Link, navigate } from '../../common/router.tsx';
import { SelectAll, SelectCell, type Selection, toggleSelected } from './selection.tsx';

export interface Column<T> {
  readonly title: string;
  /** Returns the content of a cell; null if there is none. */
  readonly render: (record: T) => ComponentChildren;
  /** Returns the content after the link or the button of the row in the main cell. */
  readonly renderAfter?: (record: T) => ComponentChildren;
  /** Classes of the cells (tables.css). */
  readonly class?: string;
  /** Whether the cell identifies the record, and has the link or the button of the row. */
  readonly isMain?: boolean | ((record: T) => boolean);
  /** Returns the full text of a cell that may be cut. */
  readonly getHint?: (record: T) => string | null | undefined;
  /** Whether cards name the cell. By default all but the main one and states. */
  readonly isNamed?: boolean;
  /** The header, if it is more than the title. */
  readonly header?: ComponentChildren;
  readonly sorted?: 'ascending' | 'descending' | undefined;
}

export interface RecordTableProps<T extends { readonly id: string }> {
  readonly label: string;
  /** The class of the table. */
  readonly class?: string;
  readonly columns: readonly Column<T>[];
  readonly selection?: Selection<T> | undefined;
  /** Returns the view that a row opens. */
  readonly to?: (record: T) => string;
  /** Returns the detail that a row folds out. */
  readonly detail?: (record: T) => ComponentChildren;
}

/** Classes that a header shares with its cells. */
const HEADER_CLASSES = ['num', 'wide', 'device'];

interface Props<T extends { readonly id: string }> extends RecordTableProps<T> {
  readonly records: readonly T[];
}

export function RecordTable<T extends { readonly id: string }>({ records, ...table }: Props<T>) {
  const { label, class: name = '', columns, selection } = table;
  return (
    <table class={`${name} records cards`} aria-label={label}>
      <thead>
        <tr>
          {selection && <SelectAll {...selection} records={records} />}
          {columns.map(({ title, header = title, class: classes = '', sorted }) => (
            <th
              key={title}
              scope="col"
              class={HEADER_CLASSES.filter((each) => classes.split(' ').includes(each)).join(' ')}
              aria-sort={sorted}
            >
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <Row key={record.id} record={record} table={table} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps<T extends { readonly id: string }> {
  readonly record: T;
  readonly table: RecordTableProps<T>;
}

function Row<T extends { readonly id: string }>({ record, table }: RowProps<T>) {
  const { columns, selection, to, detail } = table;
  const [isOpen, setOpen] = useState(false);
  /** Shared by the button and the row of the detail. */
  const fold = { isOpen, onToggle: () => setOpen(!isOpen), controls: useId() };
  const isSelected = selection?.selected.has(record.id) ?? false;
  const toggle = () => selection?.onSelect(toggleSelected(selection.selected, record));
  const click = (event: MouseEvent) => {
    if (!isRowClick(event)) return;
    if (detail) fold.onToggle();
    else if (to) open(event, to(record));
  };
  const press = ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
    if (key === 'x' && !ctrlKey && !metaKey) toggle();
  };
  const classes = [(to || detail) && 'clickable', isSelected && 'selected'];
  return (
    <>
      <tr class={classes.filter(Boolean).join(' ')} onClick={click} onKeyDown={press}>
        {selection && (
          <SelectCell
            label={`Select ${selection.getName(record)}`}
            isSelected={isSelected}
            onToggle={toggle}
          />
        )}
        {columns.map((column) => (
          <Cell key={column.title} column={column} record={record}>
            {(content) => {
              if (detail) return <FoldButton {...fold}>{content}</FoldButton>;
              return to ? <Link to={to(record)}>{content ?? '(none)'}</Link> : content;
            }}
          </Cell>
        ))}
      </tr>
      {detail && fold.isOpen && (
        <FoldRow id={fold.controls} columns={columns.length + (selection ? 1 : 0)}>
          {detail(record)}
        </FoldRow>
      )}
    </>
  );
}

function open(event: MouseEvent, to: string): void {
  if (event.ctrlKey || event.metaKey) window.open(basePath + to);
  else navigate(to);
}

interface CellProps<T> {
  readonly column: Column<T>;
  readonly record: T;
  /** Returns the content of the main cell, with its link or button. */
  readonly children: (content: ComponentChildren) => ComponentChildren;
}

function Cell<T>({ column, record, children }: CellProps<T>) {
  const { title, class: classes = '', isMain = false, getHint, isNamed } = column;
  const isMainCell = typeof isMain === 'function' ? isMain(record) : isMain;
  const content = column.render(record);
  const hasName = isNamed ?? !classes.includes('state-cell');
  return (
    <td
      class={isMainCell ? `main-cell ${classes}` : classes}
      title={getHint?.(record) ?? undefined}
      data-label={hasName && !isMainCell ? title : undefined}
    >
      {isMainCell ? children(content) : (content ?? <span class="none">–</span>)}
      {column.renderAfter?.(record)}
    </td>
  );
}

interface FoldProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Id of the detail. */
  readonly controls: string;
  readonly children: ComponentChildren;
}

/** The button in the row. */
function FoldButton({ isOpen, onToggle, controls, children }: FoldProps) {
  return (
    <Button
      icon="chevron"
      class="fold-button"
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      onClick={onToggle}
    >
      <span>{children}</span>
    </Button>
  );
}

interface FoldRowProps {
  readonly id: string;
  readonly columns: number;
  readonly children: ComponentChildren;
}

/** The row of the detail. */
function FoldRow({ id, columns, children }: FoldRowProps) {
  return (
    <tr class="fold" id={id}>
      <td colSpan={columns}>{children}</td>
    </tr>
  );
}

/** Whether nothing else in the row was clicked, and none of its text is being selected. */
function isRowClick({ target }: MouseEvent): boolean {
  const isOther = (target as Element).closest('a, button, input, label, .check') !== null;
  return !isOther && getSelection()?.isCollapsed !== false;
}
