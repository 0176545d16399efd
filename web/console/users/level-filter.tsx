/** Filters by a level, which the administrator names freely. */
import { useId } from 'preact/hooks';
import { Dropdown } from '../list/dropdown.tsx';

interface LevelFilterProps {
  readonly level: string | null;
  readonly onLevel: (level: string | null) => void;
}

export function LevelFilter({ level, onLevel }: LevelFilterProps) {
  const id = useId();
  return (
    <Dropdown icon="filter" label="Level">
      <div class="field">
        <label for={id}>Level, exactly</label>
        <input
          id={id}
          value={level ?? ''}
          autocomplete="off"
          onChange={({ currentTarget }) => onLevel(currentTarget.value.trim() || null)}
        />
      </div>
    </Dropdown>
  );
}
