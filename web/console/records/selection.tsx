/** The selection of records in a table, for actions on several of them. */
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button, formatCount } from '../../common/components.tsx';
import { useKeys } from '../shell/keyboard.tsx';

interface Identified {
  readonly id: string;
}

/** Selected records by id. */
export type Selected<T extends Identified> = ReadonlyMap<string, T>;

export interface Selection<T extends Identified> {
  /** The label of the box that selects all records of the table. */
  readonly label: string;
  readonly getName: (record: T) => string;
  readonly selected: Selected<T>;
  readonly onSelect: (selected: Selected<T>) => void;
}

export function toSelected<T extends Identified>(records: readonly T[]): Selected<T> {
  return new Map(records.map((record) => [record.id, record]));
}

/** Returns the selection with the record, or without it if it was selected. */
export function toggleSelected<T extends Identified>(selected: Selected<T>, record: T): Selected<T> {
  const next = new Map(selected);
  if (!next.delete(record.id)) next.set(record.id, record);
  return next;
}

interface SelectAllProps<T extends Identified> extends Omit<Selection<T>, 'getName'> {
  /** Records of the table. */
  readonly records: readonly T[];
}

/** The header of the column. */
export function SelectAll<T extends Identified>({ label, records, selected, onSelect }: SelectAllProps<T>) {
  const count = records.filter(({ id }) => selected.has(id)).length;
  const areAll = count === records.length;
  const toggle = () => {
    const next = new Map(selected);
    for (const record of records) {
      if (areAll) next.delete(record.id);
      else next.set(record.id, record);
    }
    onSelect(next);
  };
  return (
    <th class="check">
      <input
        type="checkbox"
        aria-label={label}
        checked={areAll}
        indeterminate={count > 0 && !areAll}
        onChange={toggle}
      />
    </th>
  );
}

interface SelectCellProps {
  readonly label: string;
  readonly isSelected: boolean;
  readonly onToggle: () => void;
}

/** The cell of the column. */
export function SelectCell({ label, isSelected, onToggle }: SelectCellProps) {
  return (
    <td class="check">
      <input type="checkbox" aria-label={label} checked={isSelected} onChange={onToggle} />
    </td>
  );
}

interface SelectionBarProps {
  /** Number of selected records, at least one. */
  readonly count: number;
  /** Labels of the actions, by their names. */
  readonly actions: Readonly<Record<string, string>>;
  readonly onStart: (action: string) => void;
  readonly onClear: () => void;
  /** Further lines. */
  readonly children?: ComponentChildren;
}

/** Actions on the selected records, in a bar that floats above the page. */
export function SelectionBar({ count, actions, onStart, onClear, children }: SelectionBarProps) {
  useKeys({ Escape: () => void onClear() });
  const bar = usePlaceAfterRow();
  return (
    <div class="bulk" ref={bar}>
      {children}
      <p id="selection-count">{formatCount(count)} selected:</p>
      {Object.entries(actions).map(([action, label]) => (
        <Button
          key={action}
          text={label}
          class={`compact ${action === 'erase' ? 'danger' : ''}`}
          aria-describedby="selection-count"
          onClick={() => onStart(action)}
        />
      ))}
      <Button icon="close" class="plain compact square" aria-label="Clear the selection" onClick={onClear} />
    </div>
  );
}

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled)';

const listFocusable = (element: Element | null | undefined) => [
  ...(element?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? []),
];

/** Returns the ref of the element. Tab goes there from the end of the row, and from its end to the next row. */
function usePlaceAfterRow(): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  // Not after the next frame: a Tab that is pressed until then would miss the element.
  useLayoutEffect(() => {
    let row: Element | null = null;
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Tab') return;
      const from = (event.target as Element).closest('tr.selected');
      if (from !== null) row = from;
      const next = findNext(event, from, row, place.current);
      next?.focus();
      if (next !== undefined) event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return place;
}

/** Returns undefined where the order of the document applies. */
function findNext(
  { target, shiftKey }: KeyboardEvent,
  ...[from, row, place]: readonly (Element | null)[]
): HTMLElement | undefined {
  const isLast = (element: Element | null | undefined) => listFocusable(element).at(-1) === target;
  if (from != null) return !shiftKey && isLast(from) ? listFocusable(place)[0] : undefined;
  if (!row?.isConnected) return undefined;
  if (shiftKey) return listFocusable(place)[0] === target ? listFocusable(row).at(-1) : undefined;
  return isLast(place) ? listFocusable(row.nextElementSibling)[0] : undefined;
}
