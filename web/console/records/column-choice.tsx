/** The choice of the columns of a list. */
import { Check } from '../../common/form.tsx';
import { Dropdown } from './controls.tsx';

export interface ColumnOption {
  readonly id: string;
  readonly title: string;
  readonly isShown: boolean;
  readonly isFixed?: boolean;
}

interface ColumnChoiceProps {
  readonly columns: readonly ColumnOption[];
  /** Called with the ids of the columns that are to be shown. */
  readonly onChoose: (ids: readonly string[]) => void;
}

export function ColumnChoice({ columns, onChoose }: ColumnChoiceProps) {
  const toggle = (changed: ColumnOption) =>
    onChoose(columns.filter((each) => each.isShown !== (each === changed)).map(({ id }) => id));
  return (
    <Dropdown icon="columns" label="Columns">
      <fieldset>
        <legend class="visually-hidden">Columns</legend>
        {columns.map((column) => (
          <Check
            key={column.id}
            isChecked={column.isShown}
            isDisabled={column.isFixed}
            onChecked={() => toggle(column)}
          >
            {column.title}
          </Check>
        ))}
      </fieldset>
    </Dropdown>
  );
}
