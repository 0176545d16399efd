/** The colour scheme that a person has chosen, for all pages of this origin (theme.ts applies it). */
import { THEME_KEY } from './storage.ts';

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
