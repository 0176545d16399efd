/** Remembers where the focus is, and returns it there. */

export interface FocusPlace {
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
