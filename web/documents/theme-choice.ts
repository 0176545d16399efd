/** The choice of colours, without the components of the console. */
import { chooseTheme, getTheme, THEMES, type Theme } from '../common/theme-storage.ts';

export function addThemeChoice(): void {
  const select = document.createElement('select');
  for (const [value, label] of Object.entries(THEMES)) select.add(new Option(label, value));
  select.className = 'plain';
  select.value = getTheme();
  select.addEventListener('change', () => chooseTheme(select.value as Theme));
  const name = document.createElement('span');
  name.textContent = 'Colours';
  name.className = 'visually-hidden';
  const label = document.createElement('label');
  label.className = 'theme';
  label.append(name, ' ', select);
  document.querySelector('.bar')?.append(label);
}
