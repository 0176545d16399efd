/** The choice of the language of samples, one for the whole page. */
import { signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { LANGUAGES, type Language } from './code-samples.ts';

export const language = signal<Language>('curl');

export function LanguageChoice() {
  const name = useId();
  return (
    <fieldset class="languages">
      <legend class="visually-hidden">Language of the example</legend>
      {Object.entries(LANGUAGES).map(([value, label]) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            class="visually-hidden"
            checked={language.value === value}
            onChange={() => {
              language.value = value as Language;
            }}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
