/** A record whose detail folds out below it. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Icon } from '../../common/icon.tsx';

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

/** Returns the shared properties of the button and the row of the detail. */
export function useFold() {
  const [isOpen, setOpen] = useState(false);
  return { isOpen, onToggle: () => setOpen(!isOpen), controls: useId() };
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
