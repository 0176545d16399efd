/** The texts of pages and messages in the languages of the service and of the operator. */
import { findLanguage } from '../../lib/text/locale.ts';
import { listLanguages } from './language-names.ts';
import { FALLBACK_LANGUAGE, type LanguageTexts, OWN_DIRECTORY } from './language-texts.ts';
import type { LoadedTexts } from './load-texts.ts';

export type Texts = Awaited<ReturnType<typeof createTexts>>;

/** Reads the names of the languages, and the texts of the operator (`directory`; null: none). @throws WrongTextFile */
export async function createTexts(directory: string | null) {
  const own = listLanguages(OWN_DIRECTORY);
  const others = directory === null ? [] : listLanguages(directory);
  const languages = [...new Set([FALLBACK_LANGUAGE, ...own, ...others])];
  let loading: Promise<LoadedTexts> | undefined;
  const load = () => {
    loading ??= import('./load-texts.ts').then(({ loadTexts }) =>
      loadTexts(directory, { own, others, all: languages }),
    );
    return loading;
  };
  if (directory !== null) await load();
  return {
    /** The fallback first. */
    languages: languages as readonly string[],
    /** Returns the texts that fit the first of these locales for which there are any; without one, those of the fallback. */
    async get(...locales: readonly (string | null | undefined)[]): Promise<LanguageTexts> {
      const { byLanguage } = await load();
      const found = locales.map((locale) => (locale ? findLanguage(locale, languages) : undefined));
      return byLanguage.get(found.find((language) => language !== undefined) ?? FALLBACK_LANGUAGE)!;
    },
    async getMailTemplates() {
      return (await load()).mailTemplates;
    },
  };
}
