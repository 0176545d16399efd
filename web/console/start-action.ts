/** Actions of a page that begin elsewhere: in the palette, or in the empty state of a list. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** The label of the button that the next page with it presses; null if there is none. */
const wanted = signal<string | null>(null);

export function startAction(label: string): void {
  wanted.value = label;
}

/** Calls `start` when the action with this label is wanted, now or later. */
export function useStarted(label: string, start: () => void): void {
  useEffect(() => {
    if (wanted.value !== label) return;
    wanted.value = null;
    start();
  }, [wanted.value]);
}
