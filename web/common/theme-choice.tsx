/** Choice of the colour scheme of the pages. */
import { signal } from '@preact/signals';
import { THEME_KEY } from './storage.ts';

const CHOICES = { system: 'System', light: 'Light', dark: 'Dark' } as const;
type Theme = keyof typeof CHOICES;

const theme = signal<Theme>((document.documentElement.dataset.theme as Theme | undefined) ?? 'system');

export function ThemeChoice() {
  return (
    <label class="theme">
      <span>Colours</span>{' '}
      <select value={theme.value} onChange={({ currentTarget }) => choose(currentTarget.value as Theme)}>
        {Object.entries(CHOICES).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Remembers the choice for all pages of this origin (theme.ts applies it). */
function choose(chosen: Theme): void {
  theme.value = chosen;
  if (chosen === 'system') {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem(THEME_KEY);
    return;
  }
  document.documentElement.dataset.theme = chosen;
  localStorage.setItem(THEME_KEY, chosen);
}
