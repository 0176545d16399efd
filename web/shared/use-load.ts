/** Loads what a view shows. */
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from './api.ts';

export type Loaded<T> =
  | { readonly state: 'loading'; readonly data: T | undefined }
  | { readonly state: 'failed'; readonly error: ApiError; readonly data: T | undefined }
  | { readonly state: 'ready'; readonly data: T };

/**
 * Loads again whenever `key` changes, and discards the result of an earlier key. While it loads again, the data of
 * the last time stays. Returns the state and a function that loads once more.
 */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): [Loaded<T>, () => void] {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading', data: undefined });
  const [round, setRound] = useState(0);
  // `key` stands for everything that `load` depends on.
  useEffect(() => {
    const abort = new AbortController();
    setLoaded(({ data }) => ({ state: 'loading', data }));
    load(abort.signal).then(
      (data) => {
        if (!abort.signal.aborted) setLoaded({ state: 'ready', data });
      },
      (error) => {
        if (!abort.signal.aborted)
          setLoaded(({ data }) => ({ state: 'failed', error: toApiError(error), data }));
      },
    );
    return () => abort.abort();
  }, [key, round]);
  return [loaded, () => setRound((count) => count + 1)];
}

/** Returns errors of the API as they are; others are faults of the page. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  reportError(error);
  return new ApiError(0, { error: 'The page has a fault. Please reload it.', code: 'page_fault' });
}
