/** Choice of the colour scheme of the pages. */
import { signal } from '@preact/signals';
import { Options } from './form.tsx';
import { chooseTheme, getTheme, THEMES, type Theme } from './storage.ts';

const theme = signal<Theme>(getTheme());

export function setTheme(chosen: Theme): void {
  theme.value = chosen;
  chooseTheme(chosen);
}

export function ThemeChoice() {
  return (
    <label class="theme">
      <span class="visually-hidden">Colours</span>
      <select
        class="plain"
        value={theme.value}
        onChange={({ currentTarget }) => setTheme(currentTarget.value as Theme)}
      >
        <Options options={Object.entries(THEMES)} />
      </select>
    </label>
  );
}
