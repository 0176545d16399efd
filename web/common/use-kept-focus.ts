/** Keeps the focus of keyboard users when the focused element is removed. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * After `change`, focuses the element of the returned ref (with a tabIndex) if the focus was in the same section and
 * is nowhere now.
 */
export function useKeptFocus<E extends HTMLElement>(change: unknown): RefObject<E | null> {
  const element = useRef<E>(null);
  const wasInside = useRef(false);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const section = element.current?.closest('section, [role=status]');
      wasInside.current = section?.contains(target as Node) ?? false;
    };
    addEventListener('focusin', note);
    return () => removeEventListener('focusin', note);
  }, []);
  useEffect(() => {
    if (wasInside.current && document.activeElement === document.body)
      element.current?.focus({ preventScroll: true });
  }, [change]);
  return element;
}
