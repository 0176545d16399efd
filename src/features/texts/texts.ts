/** The texts of pages and messages in the languages of the service and of the operator. */
import { findLanguage } from '../../lib/text/locale.ts';
import type { CurrentSettings, SettingTexts } from '../../settings/run-time-settings.ts';
import { FALLBACK_LANGUAGE, type LanguageTexts, listLanguages, OWN_DIRECTORY } from './language-file.ts';
import type { LoadedTexts } from './load-texts.ts';

export type Texts = ReturnType<typeof createView>;

/** Reads the names of the languages, and the texts of the operator (`directory`; null: none). @throws WrongTextFile */
export async function createTexts(directory: string | null): Promise<Texts> {
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
  const current = { ownTexts: new Map(), defaultLocale: FALLBACK_LANGUAGE };
  return createView({ languages, load }, { current });
}

/** Where the texts of the administrator and the default language come from, which change while the service runs. */
type OwnTextsSource = { readonly current: Pick<CurrentSettings, 'ownTexts' | 'defaultLocale'> };

interface TextFiles {
  /** The fallback first. */
  readonly languages: readonly string[];
  /** Loaded for the first text, because it takes time. */
  readonly load: () => Promise<LoadedTexts>;
}

function createView(files: TextFiles, source: OwnTextsSource) {
  const { languages, load } = files;
  let formatted:
    | { readonly of: SettingTexts; readonly texts: ReadonlyMap<string, LanguageTexts> }
    | undefined;
  const read = async () => {
    const { format } = await load();
    const of = source.current.ownTexts;
    if (formatted?.of !== of) formatted = { of, texts: format(of) };
    return formatted.texts;
  };
  return {
    ...files,
    /** Returns the texts that fit the first of these locales for which there are any; without one, those of the default. */
    async get(...locales: readonly (string | null | undefined)[]): Promise<LanguageTexts> {
      const found = [...locales, source.current.defaultLocale].map((locale) =>
        findLanguage(locale, languages),
      );
      return (await read()).get(found.find((language) => language !== undefined) ?? FALLBACK_LANGUAGE)!;
    },
    async getMailTemplates() {
      return (await load()).mailTemplates;
    },
    /** Returns the same texts below those of the administrator. */
    withOwn: (own: OwnTextsSource) => createView(files, own),
  };
}
