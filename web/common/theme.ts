/** Applies the chosen colour scheme before the page is painted. Loaded as a classic script: imports only types. */
import type { THEME_KEY } from './storage.ts';

const key: typeof THEME_KEY = 'frontdesk:theme';
const chosen = localStorage.getItem(key);
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
