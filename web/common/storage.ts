/** Storage of the pages in the browser. Other applications may have the same origin: every key begins with a prefix. */
const PREFIX = 'frontdesk:';

/** The chosen colour scheme, for all pages of this origin: theme.ts applies it. */
export const THEME_KEY = 'frontdesk:theme';
/** Whether the first steps are hidden, for all who use this browser. */
export const STEPS_KEY = 'frontdesk:steps';

/** Deletes what the pages have stored about a person, and nothing of other applications. */
export function clearOwnStorage(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX) && key !== STEPS_KEY) localStorage.removeItem(key);
  }
}

export const THEMES = { system: 'System', light: 'Light', dark: 'Dark' } as const;
export type Theme = keyof typeof THEMES;

export function getTheme(): Theme {
  return (document.documentElement.dataset.theme as Theme | undefined) ?? 'system';
}

/** Applies the choice and remembers it. */
export function chooseTheme(chosen: Theme): void {
  if (chosen === 'system') {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem(THEME_KEY);
    return;
  }
  document.documentElement.dataset.theme = chosen;
  localStorage.setItem(THEME_KEY, chosen);
}
