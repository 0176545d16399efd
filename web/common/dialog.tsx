/** Modal dialogs: the browser's own, which keep the focus and close with Escape. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Button, type ButtonProps } from './components.tsx';

interface DialogProps {
  readonly title: string;
  /** Called when the person closes the dialog by Escape or its button. */
  readonly onClose?: () => void;
  /** Stays above dialogs that are opened later. At most one dialog at a time. */
  readonly isTopmost?: boolean;
  readonly children: ComponentChildren;
}

/** The focus before a dialog that has just closed. Another dialog may follow it at once, and inherits it. */
let placeLeft: FocusPlace | null = null;

/** Shown as long as it is rendered. Without `onClose` it cannot be closed. */
export function Dialog({ title, onClose, isTopmost = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Not after the next frame: keys that are pressed until then would have no effect.
  useLayoutEffect(() => {
    const focused = document.activeElement;
    const place = placeLeft ?? getFocusPlace(focused);
    placeLeft = null;
    dialog.current?.showModal();
    if (!isTopmost) raiseTopmost(focused);
    return () => restoreFocus(place);
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
 * Focuses the element that had the focus. If the action of the dialog has removed it: the dialog below, or what is left
 * of the page around it.
 */
function restoreFocus(place: FocusPlace): void {
  placeLeft = place;
  queueMicrotask(() => {
    if (placeLeft !== place) return;
    placeLeft = null;
    const isGone = !place.element?.isConnected;
    // The list from which the action has removed it has the focus already.
    if (isGone && document.activeElement !== document.body) return;
    const below = document.querySelector<HTMLElement>('dialog[open] button, dialog[open] input');
    if (below !== null && isGone) below.focus();
    else focusPlace(place);
  });
}

interface CloseButtonProps extends Pick<ButtonProps, 'text' | 'class'> {
  readonly onClose: () => void;
}

/** The button of a dialog that has no other. */
export function CloseButton({ text = 'Close', onClose, ...button }: CloseButtonProps) {
  return (
    <div class="buttons">
      <Button text={text} {...button} onClick={onClose} />
    </div>
  );
}

interface FocusPlace {
  readonly element: Element | null;
  /** Elements around it that can have the focus, the nearest first: not known any more when it has been removed. */
  readonly around: readonly Element[];
}

export function getFocusPlace(element: Element | null): FocusPlace {
  const around: Element[] = [];
  let next = element?.parentElement?.closest('[tabindex]');
  while (next) {
    around.push(next);
    next = next.parentElement?.closest('[tabindex]');
  }
  return { element, around };
}

/** Focuses the element, or the nearest one around it that is still there, or the content. Does not scroll. */
export function focusPlace({ element, around }: FocusPlace): void {
  const known = [element, ...around, document.getElementById('content')];
  const target = known.find(
    (each) => each?.isConnected && each.checkVisibility({ visibilityProperty: true }),
  );
  (target as HTMLElement | undefined)?.focus({ preventScroll: true });
}
