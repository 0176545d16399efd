/** Loads the data of a view. */
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from './api.ts';

export type Loaded<T> =
  | { readonly state: 'loading'; readonly data: T | undefined }
  | { readonly state: 'failed'; readonly error: ApiError; readonly data: T | undefined }
  | { readonly state: 'ready'; readonly data: T };

interface Result<T> {
  readonly of: string;
  readonly loaded: Loaded<T>;
}

const LOADING = { state: 'loading', data: undefined } as const;

/**
 * Loads again whenever `key` changes, and discards the result of an earlier key. While it loads again, the data of
 * the last time stays. Returns the state and a function that loads once more.
 */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): [Loaded<T>, () => void] {
  const [{ of, loaded }, setResult] = useState<Result<T>>({ of: key, loaded: LOADING });
  const [round, setRound] = useState(0);
  // `key` identifies everything that `load` depends on.
  useEffect(() => {
    const abort = new AbortController();
    const settle = (next: (data: T | undefined) => Loaded<T>) => {
      if (!abort.signal.aborted) setResult((last) => ({ of: key, loaded: next(last.loaded.data) }));
    };
    settle((data) => ({ state: 'loading', data }));
    load(abort.signal).then(
      (data) => settle(() => ({ state: 'ready', data })),
      (error) => settle((data) => ({ state: 'failed', error: toApiError(error), data })),
    );
    return () => abort.abort();
  }, [key, round]);
  // Until the effect has run, the result is that of the earlier key.
  const present: Loaded<T> = of === key ? loaded : { state: 'loading', data: loaded.data };
  return [present, () => setRound((count) => count + 1)];
}

/** Returns errors of the API as they are; others are faults of the page. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  reportError(error);
  return new ApiError(0, { error: 'The page has a fault. Please reload it.', code: 'page_fault' });
}
