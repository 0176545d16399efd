/** The choice of the language of samples, one for the whole page. */
import { signal } from '@preact/signals';
import { LANGUAGES, type Language } from './code-samples.ts';
import { TabChoice } from './tab-choice.tsx';

export const language = signal<Language>('curl');

export function LanguageChoice() {
  return (
    <TabChoice
      legend="Language of the example"
      options={LANGUAGES}
      value={language.value}
      onChange={(chosen) => {
        language.value = chosen as Language;
      }}
    />
  );
}
