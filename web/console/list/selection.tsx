/** The selection of records in a table, for actions on several of them. */
import { Icon } from '../../common/icon.tsx';

interface Identified {
  readonly id: string;
}

/** Selected records by id. */
export type Selected<T extends Identified> = ReadonlyMap<string, T>;

/** Returns the selection with the record, or without it if it was selected. */
export function toggleSelected<T extends Identified>(selected: Selected<T>, record: T): Selected<T> {
  const next = new Map(selected);
  if (!next.delete(record.id)) next.set(record.id, record);
  return next;
}

interface SelectAllProps<T extends Identified> {
  readonly label: string;
  /** Those that the table shows. */
  readonly records: readonly T[];
  readonly selected: Selected<T>;
  readonly onSelect: (selected: Selected<T>) => void;
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

/** The last button of the bar of a selection. */
export function ClearSelection({ onClear }: { readonly onClear: () => void }) {
  return (
    <button type="button" class="plain compact square" aria-label="Clear the selection" onClick={onClear}>
      <Icon name="close" />
    </button>
  );
}
