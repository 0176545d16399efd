/** Modal dialogs: the browser's own, which keep the focus and close with Escape. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  /** Called when the person closes the dialog by Escape or its button. */
  readonly onClose?: () => void;
  /** Stays above dialogs that are opened later. At most one dialog at a time. */
  readonly isTopmost?: boolean;
  readonly children: ComponentChildren;
}

/** Shown as long as it is rendered. Without `onClose` it cannot be closed. */
export function Dialog({ title, onClose, isTopmost = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    if (!isTopmost) raiseTopmost(opener);
    return () => restoreFocus(opener);
  }, []);
  const cancel = (event: Event) => {
    event.preventDefault();
    onClose?.();
  };
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onCancel={cancel} data-topmost={isTopmost}>
      <article>
        <header>
          <h2 id={titleId}>{title}</h2>
        </header>
        {children}
      </article>
    </dialog>
  );
}

/** Shows the topmost dialog again if there is one, which puts it above the others. */
function raiseTopmost(focused: Element | null): void {
  const topmost = document.querySelector<HTMLDialogElement>('dialog[data-topmost=true]');
  if (topmost === null || !topmost.open) return;
  topmost.close();
  topmost.showModal();
  if (focused instanceof HTMLElement && topmost.contains(focused)) focused.focus();
}

/**
 * Focuses the element that had the focus. If the action of the dialog has removed it: the dialog below, or the content
 * of the page.
 */
function restoreFocus(opener: Element | null): void {
  queueMicrotask(() => {
    const isThere = opener instanceof HTMLElement && opener.isConnected;
    const below = document.querySelector<HTMLElement>('dialog[open] button, dialog[open] input');
    const target = isThere ? opener : (below ?? document.getElementById('content'));
    target?.focus();
  });
}
