/** What an administrator changes on the page of the brand: settings, and texts of each language. */
import { basePath } from '../../common/api.ts';
import type { LanguageTexts, Setting, SettingList } from '../../common/api-types.ts';
import { read, request } from '../session.ts';
import { followInFrame, readDataUrl } from '../settings/change-setting.ts';

const NAMES = ['INSTANCE_NAME', 'INSTANCE_LOGO', 'BRAND_COLOR'] as const;
type BrandSetting = (typeof NAMES)[number];

/** The logo is a data URL. An empty text is the default. */
export type BrandSettings = Readonly<Record<BrandSetting, string>>;
export type OwnTexts = Readonly<Record<string, string>>;

interface Brand {
  readonly settings: BrandSettings;
  /** By language. */
  readonly texts: Readonly<Record<string, OwnTexts>>;
}

export interface LoadedBrand {
  readonly brand: Brand;
  readonly etag: string;
  readonly settings: Readonly<Record<BrandSetting, Setting>>;
  readonly languages: readonly LanguageTexts[];
}

const SETTINGS_PATH = '/api/v1/admin/settings';
const toTextsPath = (language: string) => `/api/v1/admin/texts/${language}`;

export async function loadBrand(signal: AbortSignal): Promise<LoadedBrand> {
  const { body, headers } = await request<{ data: SettingList }>(SETTINGS_PATH, { signal });
  const readTexts = (language: string) => read<LanguageTexts>(toTextsPath(language), { signal });
  const english = await readTexts('en');
  const others = english.languages.filter((language) => language !== 'en');
  const languages = [english, ...(await Promise.all(others.map(readTexts)))];
  const found = NAMES.map((name) => [name, body.data.settings.find((each) => each.name === name)!]);
  const settings = Object.fromEntries(found) as Record<BrandSetting, Setting>;
  const getText = ({ source, value }: Setting) => (source === 'default' ? '' : (value ?? ''));
  const own = {
    INSTANCE_NAME: getText(settings.INSTANCE_NAME),
    INSTANCE_LOGO: settings.INSTANCE_LOGO.is_set ? await readLogo() : '',
    BRAND_COLOR: getText(settings.BRAND_COLOR),
  };
  const texts = Object.fromEntries(languages.map(({ language, texts }) => [language, listOwn(texts)]));
  return { brand: { settings: own, texts }, etag: headers.get('etag')!, settings, languages };
}

const readLogo = async () => readDataUrl(await (await fetch(`${basePath}/logo`)).blob());

const listOwn = (texts: LanguageTexts['texts']): OwnTexts =>
  Object.fromEntries(texts.flatMap(({ key, own }) => (own === null ? [] : [[key, own]])));

const isSame = (one: object, other: object) =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

const listChangedNames = (from: BrandSettings, to: BrandSettings) =>
  NAMES.filter((name) => from[name] !== to[name]);

/** Returns the first language with texts that differ, which are stored first. */
export function findUnsavedLanguage(from: Brand, to: Brand): string | undefined {
  return Object.keys(to.texts).find((language) => !isSame(to.texts[language]!, from.texts[language]!));
}

/** Returns how many settings and texts differ. */
export function countChanges(from: Brand, to: Brand): number {
  const texts = Object.entries(to.texts).flatMap(([language, own]) => {
    const before = from.texts[language]!;
    const keys = new Set([...Object.keys(before), ...Object.keys(own)]);
    return [...keys].filter((key) => before[key] !== own[key]);
  });
  return texts.length + listChangedNames(from.settings, to.settings).length;
}

/** Stores what differs; `onStored` gets each part. Returns the version afterwards. @throws ApiError */
export async function storeBrand(
  { from, to, etag: version }: { readonly from: Brand; readonly to: Brand; readonly etag: string },
  onStored: (stored: Brand, etag: string) => void,
): Promise<string> {
  let [stored, etag] = [from, version];
  const store = async (path: string, method: 'PUT' | 'PATCH', body: object) => {
    const { headers } = await request(path, { method, body, headers: { 'If-Match': etag } });
    etag = headers.get('etag')!;
  };
  for (const [language, own] of Object.entries(to.texts)) {
    if (isSame(own, from.texts[language]!)) continue;
    await store(toTextsPath(language), 'PUT', { texts: own });
    stored = { ...stored, texts: { ...stored.texts, [language]: own } };
    onStored(stored, etag);
  }
  const changed = listChangedNames(from.settings, to.settings);
  if (changed.length > 0) {
    await store(SETTINGS_PATH, 'PATCH', Object.fromEntries(changed.map((name) => [name, to.settings[name]])));
    onStored({ ...stored, settings: to.settings }, etag);
    for (const name of changed) followInFrame(name, to.settings[name] || null, etag);
  }
  return etag;
}
