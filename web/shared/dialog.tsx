/** Modal dialogs: the browser's own, which keep the focus and close with Escape. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  /** Called when the person closes the dialog by Escape or its button. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}

/** Shown as long as it is rendered. Without `onClose` it cannot be closed. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => restoreFocus(opener);
  }, []);
  const cancel = (event: Event) => {
    event.preventDefault();
    onClose?.();
  };
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onCancel={cancel}>
      <article>
        <header>
          <h2 id={titleId}>{title}</h2>
        </header>
        {children}
      </article>
    </dialog>
  );
}

/** Focuses the element that had the focus, or the content of the page if the action of the dialog has removed it. */
function restoreFocus(opener: Element | null): void {
  queueMicrotask(() => {
    const isThere = opener instanceof HTMLElement && opener.isConnected;
    const target = isThere ? opener : document.getElementById('content');
    target?.focus();
  });
}
