/** Keys that work anywhere on a page. */
import { useLayoutEffect, useRef } from 'preact/hooks';

/** By `KeyboardEvent.key`. A function that returns false leaves the key to others. */
export type KeyBindings = Readonly<Record<string, (event: KeyboardEvent) => boolean | undefined>>;

/** Not while a dialog or a menu is open, nor with a modifier; letters and signs not while a text is typed. */
export function useKeys(bindings: KeyBindings): void {
  const present = useRef(bindings);
  present.current = bindings;
  // Before what they work on is shown: whoever sees it can press them.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const run = present.current[event.key];
      if (run === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
        return;
      if (document.querySelector('dialog[open], :popover-open') !== null) return;
      if (event.key.length === 1 && isTyping(event.target)) return;
      if (run(event) !== false) event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.matches('textarea, select, input:not([type=checkbox], [type=radio])')
  );
}
