/** Storage of the pages in the browser. Other applications may have the same origin: every key begins with a prefix. */
const PREFIX = 'frontdesk:';

/** The chosen colour scheme. */
export const THEME_KEY = 'frontdesk:theme';

/** Deletes the stored items of Frontdesk's pages, and nothing of other applications. */
export function clearOwnStorage(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  }
}
