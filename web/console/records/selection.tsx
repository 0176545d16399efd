/** The selection of records in a table, for actions on several of them. */
import type { ComponentChildren } from 'preact';
import { formatCount } from '../../common/components.tsx';
import { Icon } from '../../common/icon.tsx';
import { useKeys } from '../keyboard/use-keys.ts';
import { usePlaceAfterRow } from '../list/place-after-row.ts';

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
        <button
          key={action}
          type="button"
          class={`compact ${action === 'erase' ? 'danger' : ''}`}
          aria-describedby="selection-count"
          onClick={() => onStart(action)}
        >
          {label}
        </button>
      ))}
      <button type="button" class="plain compact square" aria-label="Clear the selection" onClick={onClear}>
        <Icon name="close" />
      </button>
    </div>
  );
}
