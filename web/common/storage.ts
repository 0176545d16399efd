/** Storage of the pages in the browser. Other applications may have the same origin: every key begins with a prefix. */
const PREFIX = 'frontdesk:';

/** The chosen colour scheme. */
export const THEME_KEY = 'frontdesk:theme';
/** Whether the first steps are hidden, for all who use this browser. */
export const STEPS_KEY = 'frontdesk:steps';

/** Deletes what the pages have stored about a person, and nothing of other applications. */
export function clearOwnStorage(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX) && key !== STEPS_KEY) localStorage.removeItem(key);
  }
}
