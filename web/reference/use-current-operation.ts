import { useEffect, useState } from 'preact/hooks';
import type { Group } from './description/operations.ts';

/** Returns the id of the operation at the top of the window. */
export function useCurrentOperation(groups: readonly Group[]): string {
  const [current, setCurrent] = useState('');
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const shown = entries.findLast(({ isIntersecting }) => isIntersecting);
        if (shown) setCurrent(shown.target.id);
      },
      { rootMargin: '-15% 0px -80% 0px' },
    );
    for (const section of document.querySelectorAll('.operation')) observer.observe(section);
    return () => observer.disconnect();
  }, [groups]);
  useEffect(() => {
    const mark = document.querySelector<HTMLElement>('.operations [aria-current]');
    if (mark !== null) showInMenu(mark);
  }, [current]);
  return current;
}

/** Scrolls a long menu to an entry of it. `scrollIntoView` would also scroll the page, away from the text that is read. */
function showInMenu(entry: HTMLElement): void {
  const menu = entry.closest('.operations')!;
  const { top, bottom } = entry.getBoundingClientRect();
  const first = menu.querySelector('.filter')!.getBoundingClientRect().bottom;
  const last = menu.getBoundingClientRect().bottom;
  if (top < first) menu.scrollTop += top - first;
  else if (bottom > last) menu.scrollTop += bottom - last;
}
