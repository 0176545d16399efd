/** Puts an element after the selected row with the focus in the order of the keyboard, however many rows follow. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled)';

const listFocusable = (element: Element | null | undefined) => [
  ...(element?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? []),
];

/** Returns the ref of the element. Tab goes there from the end of the row, and from its end to the next row. */
export function usePlaceAfterRow(): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  // Not after the next frame: a Tab that is pressed until then would miss the element.
  useLayoutEffect(() => {
    let row: Element | null = null;
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Tab') return;
      const from = (event.target as Element).closest('tr.selected');
      if (from !== null) row = from;
      const next = findNext(event, from, row, place.current);
      next?.focus();
      if (next !== undefined) event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return place;
}

/** Returns undefined where the order of the document applies. */
function findNext(
  { target, shiftKey }: KeyboardEvent,
  ...[from, row, place]: readonly (Element | null)[]
): HTMLElement | undefined {
  const isLast = (element: Element | null | undefined) => listFocusable(element).at(-1) === target;
  if (from != null) return !shiftKey && isLast(from) ? listFocusable(place)[0] : undefined;
  if (!row?.isConnected) return undefined;
  if (shiftKey) return listFocusable(place)[0] === target ? listFocusable(row).at(-1) : undefined;
  return isLast(place) ? listFocusable(row.nextElementSibling)[0] : undefined;
}
