/** The fields of a form in their order, which can be changed by keyboard and by pointer. */
import { useLayoutEffect, useState } from 'preact/hooks';
import type { ApiError } from '../../../common/api.ts';
import { Button, Panel } from '../../../common/components.tsx';
import type { IconName } from '../../../common/icon.tsx';
import { Dropdown } from '../../records/controls.tsx';
import { findKind, KIND_IDS, KINDS, type TypedField, toFieldName } from '../typed.ts';
import type { FieldChanges } from './use-field-changes.ts';

interface FieldListProps {
  readonly fields: readonly TypedField[];
  /** Undefined while the title of the form is selected. */
  readonly selected: TypedField | undefined;
  readonly error: ApiError | null;
  readonly edit: FieldChanges;
  readonly onSelect: (key: string | null) => void;
}

export function FieldList({ fields, selected, error, edit, onSelect }: FieldListProps) {
  const { lifted, press, list } = useLifting(
    fields.map(({ key }) => key),
    edit.move,
  );
  const names = Object.keys(error?.errors ?? {});
  return (
    <Panel
      title="Fields"
      id="fields"
      beside={
        <>
          <span class="muted small">{fields.length}</span>
          <AddField onAdd={(kind) => edit.add(kind, selected)} />
        </>
      }
    >
      <Pick icon="form" isSelected={selected === undefined} hasError={false} onSelect={() => onSelect(null)}>
        Title and description
      </Pick>
      <ol class="form-fields" aria-label="Fields" {...list}>
        {fields.map((field, index) => (
          <li key={field.key} class={field.key === lifted ? 'lifted' : undefined}>
            <Button
              icon="grip"
              class="plain grip"
              data-key={field.key}
              aria-label={`Move ${toFieldName(field)}, ${index + 1} of ${fields.length}`}
              aria-describedby="move-keys"
              onKeyDown={(event) => press(event, field.key)}
            />
            <Pick
              icon={KINDS[findKind(field)].icon}
              isSelected={field === selected}
              hasError={names.some((name) => name.startsWith(`${field.key}/`))}
              note={field.is_required ? 'Required' : ''}
              onSelect={() => onSelect(field.key)}
            >
              {toFieldName(field)}
            </Pick>
          </li>
        ))}
      </ol>
      <footer>
        <p role="status" id="move-keys">
          {describeLifting(fields, lifted)}
        </p>
      </footer>
    </Panel>
  );
}

/** Returns where the lifted field is, and the keys. */
function describeLifting(fields: readonly TypedField[], lifted: string | null): string {
  const index = fields.findIndex(({ key }) => key === lifted);
  if (index === -1) return 'Space on a handle lifts a field.';
  const place = `${index + 1} of ${fields.length}`;
  return `${toFieldName(fields[index]!)} is lifted, ${place}. ↑ and ↓ move it, Space drops it, Esc puts it back.`;
}

interface PickProps {
  readonly icon: IconName;
  readonly isSelected: boolean;
  readonly hasError: boolean;
  readonly note?: string;
  readonly onSelect: () => void;
  readonly children: string;
}

function Pick({ icon, isSelected, hasError, note, onSelect, children }: PickProps) {
  return (
    <Button icon={icon} class="plain pick" aria-current={isSelected ? 'true' : undefined} onClick={onSelect}>
      <bdi class="cut" title={children}>
        {children}
      </bdi>
      {hasError ? <span class="badge bad">Error</span> : <small class="muted">{note}</small>}
    </Button>
  );
}

function AddField({ onAdd }: { readonly onAdd: (kind: (typeof KIND_IDS)[number]) => void }) {
  return (
    <div class="end">
      <Dropdown icon="plus" label="Add…">
        <div class="menu">
          {KIND_IDS.map((kind) => (
            <Button
              key={kind}
              icon={KINDS[kind].icon}
              text={KINDS[kind].name}
              class="plain compact"
              onClick={() => onAdd(kind)}
            />
          ))}
        </div>
      </Dropdown>
    </div>
  );
}

interface Lifted {
  readonly key: string;
  /** The place to which Escape returns it. */
  readonly from: number;
  readonly isDragged: boolean;
}

/**
 * Returns the key of the lifted item and the listeners of the handles and of the list.
 * @param keys of the items in their order. Each handle has its key in `data-key`
 */
function useLifting(keys: readonly string[], onMove: (key: string, to: number) => void) {
  const [lifted, setLifted] = useState<Lifted | null>(null);
  const { key: current, isDragged = false } = lifted ?? {};
  const index = current === undefined ? -1 : keys.indexOf(current);
  useLayoutEffect(() => {
    // An element that is moved in the document loses the focus.
    if (current === undefined) return;
    document.querySelector<HTMLElement>(`[data-key="${CSS.escape(current)}"]`)?.focus();
  }, [current, index]);
  const move = (to: number) => onMove(current!, to);
  const lift = (key: string, byPointer: boolean) =>
    setLifted({ key, from: keys.indexOf(key), isDragged: byPointer });
  const drop = () => setLifted(null);
  const putBack = () => {
    move(lifted!.from);
    drop();
  };
  const press = (event: KeyboardEvent, key: string) => {
    const start = () => lift(key, false);
    const moves = { ArrowUp: () => move(index - 1), ArrowDown: () => move(index + 1) };
    const steps: Readonly<Record<string, () => void>> =
      current === key ? { ...moves, ' ': drop, Enter: drop, Escape: putBack, Tab: drop } : { ' ': start };
    if (!Object.hasOwn(steps, event.key)) return;
    if (event.key !== 'Tab') event.preventDefault();
    steps[event.key]!();
  };
  const drag = {
    /** Moves the item to the place of the pointer. */
    over: (items: readonly Element[], y: number) => {
      const to = items.findIndex((item) => y < item.getBoundingClientRect().bottom);
      if (isDragged && to !== -1 && to !== index) move(to);
    },
    end: () => isDragged && drop(),
  };
  return { lifted: current ?? null, press, list: listenToPointer(lift, drag) };
}

/** The list keeps the pointer, because the items move. */
function listenToPointer(
  lift: (key: string, byPointer: boolean) => void,
  drag: { readonly over: (items: readonly Element[], y: number) => void; readonly end: () => unknown },
) {
  return {
    onPointerDown: ({ target, currentTarget, pointerId }: PointerEvent) => {
      const key = (target as Element).closest<HTMLElement>('[data-key]')?.dataset.key;
      if (key === undefined) return;
      (currentTarget as Element).setPointerCapture(pointerId);
      lift(key, true);
    },
    onPointerMove: ({ currentTarget, clientY }: PointerEvent) =>
      drag.over([...(currentTarget as Element).children], clientY),
    onPointerUp: drag.end,
    onPointerCancel: drag.end,
  };
}
