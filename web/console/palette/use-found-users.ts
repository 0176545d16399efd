/** Users that a search finds, asked for when typing pauses. */
import { useEffect, useState } from 'preact/hooks';
import type { ApiError } from '../../common/api.ts';
import { toApiError } from '../../common/use-load.ts';
import { may } from '../permissions.ts';
import { findUsers, type PaletteEntry } from './entries.ts';

const PAUSE_MS = 150;

export interface FoundUsers {
  readonly users: readonly PaletteEntry[];
  readonly isSearching: boolean;
  readonly error: ApiError | null;
}

const NOTHING: FoundUsers = { users: [], isSearching: false, error: null };

/** While a search goes on, the users of the last one stay. Finds none without the scope `users:read`. */
export function useFoundUsers(text: string): FoundUsers {
  const wanted = may('users:read') ? text.trim() : '';
  const [found, setFound] = useState(NOTHING);
  useEffect(() => {
    if (wanted === '') return setFound(NOTHING);
    const abort = new AbortController();
    const settle = (next: FoundUsers) => abort.signal.aborted || setFound(next);
    setFound((last) => ({ ...last, isSearching: true, error: null }));
    const search = () =>
      findUsers(wanted, abort.signal).then(
        (users) => settle({ ...NOTHING, users }),
        // An aborted search is no fault of the page.
        (error) => abort.signal.aborted || setFound({ ...NOTHING, error: toApiError(error) }),
      );
    const timer = setTimeout(search, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [wanted]);
  return found;
}
