/** Moves items of a list by their handles: lifted by Space and moved by arrows, or dragged by a pointer. */
import { useLayoutEffect, useState } from 'preact/hooks';

interface Lifted {
  readonly key: string;
  /** The place to which Escape returns it. */
  readonly from: number;
  readonly isDragged: boolean;
}

/**
 * Returns the key of the lifted item and the listeners of the handles and of the list.
 * @param keys of the items in their order. Each handle has its key in `data-key`
 */
export function useLifting(keys: readonly string[], onMove: (key: string, to: number) => void) {
  const [lifted, setLifted] = useState<Lifted | null>(null);
  const { key: current, isDragged = false } = lifted ?? {};
  const index = current === undefined ? -1 : keys.indexOf(current);
  useLayoutEffect(() => {
    // An element that is moved in the document loses the focus.
    if (current !== undefined) findHandle(current)?.focus();
  }, [current, index]);
  const move = (to: number) => onMove(current!, to);
  const lift = (key: string, byPointer: boolean) =>
    setLifted({ key, from: keys.indexOf(key), isDragged: byPointer });
  const drop = () => setLifted(null);
  const putBack = () => {
    move(lifted!.from);
    drop();
  };
  const press = (event: KeyboardEvent, key: string) => {
    const start = () => lift(key, false);
    const moves = { ArrowUp: () => move(index - 1), ArrowDown: () => move(index + 1) };
    const steps: Readonly<Record<string, () => void>> =
      current === key ? { ...moves, ' ': drop, Enter: drop, Escape: putBack, Tab: drop } : { ' ': start };
    if (!Object.hasOwn(steps, event.key)) return;
    if (event.key !== 'Tab') event.preventDefault();
    steps[event.key]!();
  };
  const drag = {
    /** Moves the item to the place of the pointer. */
    over: (items: readonly Element[], y: number) => {
      const to = items.findIndex((item) => y < item.getBoundingClientRect().bottom);
      if (isDragged && to !== -1 && to !== index) move(to);
    },
    end: () => isDragged && drop(),
  };
  return { lifted: current ?? null, press, list: listenToPointer(lift, drag) };
}

/** The list keeps the pointer, because the items move. */
function listenToPointer(
  lift: (key: string, byPointer: boolean) => void,
  drag: { readonly over: (items: readonly Element[], y: number) => void; readonly end: () => unknown },
) {
  return {
    onPointerDown: ({ target, currentTarget, pointerId }: PointerEvent) => {
      const key = (target as Element).closest<HTMLElement>('[data-key]')?.dataset.key;
      if (key === undefined) return;
      (currentTarget as Element).setPointerCapture(pointerId);
      lift(key, true);
    },
    onPointerMove: ({ currentTarget, clientY }: PointerEvent) =>
      drag.over([...(currentTarget as Element).children], clientY),
    onPointerUp: drag.end,
    onPointerCancel: drag.end,
  };
}

function findHandle(key: string): HTMLElement | null {
  return document.querySelector(`[data-key="${CSS.escape(key)}"]`);
}
