/** A record whose detail folds out below it. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Icon } from '../../common/icon.tsx';
import { isRowClick } from './row-click.ts';

interface FoldProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Id of the detail. */
  readonly controls: string;
  readonly children: ComponentChildren;
}

/** The button in the row. */
export function FoldButton({ isOpen, onToggle, controls, children }: FoldProps) {
  return (
    <button
      type="button"
      class="fold-button"
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      onClick={onToggle}
    >
      <Icon name="chevron" />
      <span>{children}</span>
    </button>
  );
}

/** Returns what the button and the row of the detail share, and what the row of the record has. */
export function useFold() {
  const [isOpen, setOpen] = useState(false);
  const onToggle = () => setOpen(!isOpen);
  const onClick = (event: MouseEvent) => {
    if (isRowClick(event)) onToggle();
  };
  return { fold: { isOpen, onToggle, controls: useId() }, row: { class: 'clickable', onClick } };
}

interface FoldRowProps {
  readonly id: string;
  readonly columns: number;
  readonly children: ComponentChildren;
}

/** The row of the detail. */
export function FoldRow({ id, columns, children }: FoldRowProps) {
  return (
    <tr class="fold" id={id}>
      <td colSpan={columns}>{children}</td>
    </tr>
  );
}
