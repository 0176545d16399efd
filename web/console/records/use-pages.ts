/** Lists of the API that a view loads as a whole, or page by page, each below the last. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { keep, readKept, withQuery } from '../../common/router.tsx';
import { type Action, useAction } from '../../common/use-action.ts';
import type { Loaded } from '../../common/use-load.ts';
import { request, useViewData } from '../session.ts';

interface LoadedPage<T> {
  readonly items: readonly T[];
  /** The cursor of the next page; null on the last one, undefined in a list without pages. */
  readonly next: string | null | undefined;
}

export interface Pages<T> {
  /** The state of the first page. */
  readonly state: Loaded<unknown>;
  /** Everything that was loaded; undefined before the first page. */
  readonly shown: LoadedPage<T> | undefined;
  /** Loads the first page again, and forgets the others. */
  readonly reload: () => void;
  /** Undefined if the list shows one page at a time. */
  readonly loadMore?: () => void;
  /** Of the last `loadMore`. */
  readonly more?: Action;
}

/** With a rare filter, pages may be empty although more follow: so many are asked for at once. */
const MAX_EMPTY_PAGES = 5;

/** More items than these are not loaded again. */
const MAX_KEPT = 1000;

type Parameters = Readonly<Record<string, string | null>>;

/** Loads from the beginning whenever the path, its parameters or `revision` change. */
export function usePages<T>(path: string, parameters: Parameters = {}, revision = 0): Pages<T> {
  const list = withQuery(path, parameters);
  const key = `${revision} ${list}`;
  const load = (cursor: string | null, signal?: AbortSignal) =>
    loadPage<T>((each) => withQuery(path, { ...parameters, cursor: each }), cursor, signal);
  const [state, loadAgain] = useViewData(key, (signal) =>
    loadKept(load, Number(readKept(list) ?? 0), signal),
  );
  const reload = () => {
    keep({ [list]: 0 });
    loadAgain();
  };
  // Pages belong to the first page that they follow.
  const [added, setAdded] = useState<{ readonly after: unknown } & LoadedPage<T>>();
  const more = useAction();
  const first = state.data;
  const present = useRef(first);
  present.current = first;
  const rest = added !== undefined && added.after === first ? added : undefined;
  const shown = first && {
    items: rest === undefined ? first.items : [...first.items, ...rest.items],
    next: rest === undefined ? first.next : rest.next,
  };
  const loadMore = () =>
    void more.run(async () => {
      if (!shown?.next) return;
      const { items, next } = await load(shown.next);
      if (present.current !== first) return;
      setAdded({ after: first, items: [...(rest?.items ?? []), ...items], next });
      keep({ [list]: shown.items.length + items.length });
    });
  return { state, shown, reload, loadMore, more };
}

/** Loads as many pages as were shown before another view was opened. */
async function loadKept<T>(
  load: (cursor: string | null, signal: AbortSignal) => Promise<LoadedPage<T>>,
  count: number,
  signal: AbortSignal,
): Promise<LoadedPage<T>> {
  let { items, next } = await load(null, signal);
  while (next && items.length < Math.min(count, MAX_KEPT)) {
    const page = await load(next, signal);
    items = [...items, ...page.items];
    next = page.next;
  }
  return { items, next };
}

async function loadPage<T>(
  toPath: (cursor: string | null) => string,
  start: string | null,
  signal?: AbortSignal,
): Promise<LoadedPage<T>> {
  let cursor = start;
  for (let count = 1; ; count++) {
    const { body } = await request<{ data: readonly T[]; next_cursor?: string | null }>(toPath(cursor), {
      signal,
    });
    const { data: items, next_cursor: next } = body;
    if (items.length > 0 || next == null || count === MAX_EMPTY_PAGES) return { items, next };
    cursor = next;
  }
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/** Calls `reload` after each change of `shown`, with growing delays, while `isActive`. */
export function usePolling(isActive: boolean, shown: unknown, reload: () => void): void {
  const delay = useRef(FIRST_DELAY_MS);
  useEffect(() => {
    if (!isActive) {
      delay.current = FIRST_DELAY_MS;
      return;
    }
    const timer = setTimeout(reload, delay.current);
    delay.current = Math.min(1.5 * delay.current, MAX_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isActive, shown]);
}
