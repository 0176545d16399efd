/** Reads all texts, and creates the functions that format them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import { IntlMessageFormat } from 'intl-messageformat';
import { readText } from '../../lib/files.ts';
import { DAY, HOUR, MINUTE } from '../../lib/time.ts';
import type { Palette } from '../../settings/brand-color.ts';
import { ownTextsName, type SettingTexts } from '../../settings/run-time-settings.ts';
import {
  checkMessages,
  FALLBACK_LANGUAGE,
  findTextFault,
  type LanguageTexts,
  type Messages,
  OWN_DIRECTORY,
  readMessages,
  type TextKey,
  type TextValues,
  WrongTextFile,
} from './language-file.ts';

export type LoadedTexts = ReturnType<typeof loadTexts>;

/** @throws WrongTextFile */
export function loadTexts(
  directory: string | null,
  { own, others, all }: { own: readonly string[]; others: readonly string[]; all: readonly string[] },
) {
  const english = readMessages(OWN_DIRECTORY, FALLBACK_LANGUAGE);
  const readFiles = (language: string): Messages => {
    const known = own.includes(language) ? readMessages(OWN_DIRECTORY, language) : {};
    if (directory === null || !others.includes(language)) return known;
    const messages = readMessages(directory, language);
    checkMessages(join(directory, `${language}.json`), messages, english);
    return { ...known, ...messages };
  };
  const files = new Map(all.map((language) => [language, readFiles(language)]));
  const readStored = (stored: SettingTexts, language: string): Messages =>
    Object.fromEntries(
      Object.entries(JSON.parse(stored.get(ownTextsName(language)) ?? '{}') as Messages)
        // Another release may have stored them.
        .filter(([key, text]) => findTextFault(key, text, english) === null),
    );
  /** Returns the texts of a language: those of the administrator, of files, then those in English. */
  const merge = (language: string, stored: SettingTexts): Messages => {
    const merged = { ...files.get(language), ...readStored(stored, language) };
    if (language === FALLBACK_LANGUAGE) return merged;
    return { ...merge(FALLBACK_LANGUAGE, stored), locale: language, ...merged };
  };
  return {
    ...{ english, merge, readStored },
    format: (stored: SettingTexts): ReadonlyMap<string, LanguageTexts> =>
      new Map(all.map((language) => [language, createLanguageTexts(language, merge(language, stored))])),
    mailTemplates: {
      html: createTemplate(directory, FILES.html, true),
      text: createTemplate(directory, FILES.text, false),
    },
  };
}

function createLanguageTexts(language: string, messages: Messages): LanguageTexts {
  const { locale = language } = messages;
  const formats = new Map<TextKey, IntlMessageFormat>();
  const dateTime = new Intl.DateTimeFormat(locale, DATE_TIME);
  const numbers = new Intl.NumberFormat(locale, NUMBER);
  const durations = new Intl.DurationFormat(locale, { style: 'long' });
  const create = (key: TextKey) =>
    new IntlMessageFormat(messages[key]!, locale, undefined, { ignoreTag: true });
  return {
    language,
    direction: new Intl.Locale(language).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr',
    text: (key: TextKey, values?: TextValues) =>
      String(formats.getOrInsertComputed(key, create).format(values)),
    number: (value) => numbers.format(value),
    time: (milliseconds, timeZone) => {
      if (!timeZone) return dateTime.format(milliseconds);
      const { timeZoneName: _, ...parts } = DATE_TIME;
      return `${new Intl.DateTimeFormat(locale, { ...parts, timeZone }).format(milliseconds)} (${timeZone})`;
    },
    duration: (seconds) => durations.format(toLargestUnit(seconds * 1000)),
  };
}

const NUMBER = { numberingSystem: 'latn', useGrouping: false, maximumSignificantDigits: 21 } as const;

const DATE_TIME = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
  timeZoneName: 'short',
} as const;

/** Rounds up: after a shorter time, one would come too early. */
function toLargestUnit(milliseconds: number): Parameters<Intl.DurationFormat['format']>[0] {
  if (milliseconds < 2 * MINUTE) return { seconds: Math.ceil(milliseconds / 1000) };
  if (milliseconds < 2 * HOUR && milliseconds !== HOUR) return { minutes: Math.ceil(milliseconds / MINUTE) };
  if (milliseconds < DAY) return { hours: Math.ceil(milliseconds / HOUR) };
  return { days: Math.ceil(milliseconds / DAY) };
}

/** Variables of a template: texts of one language. */
interface MailTexts {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly subject: string;
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  /** Null in a notice, which has no link. */
  readonly link: {
    readonly url: string;
    readonly action: string;
    readonly asText: string;
    readonly validity: string;
  } | null;
  readonly service: string;
  /** Derived from BRAND_COLOR; null without one. */
  readonly palette: Palette | null;
  readonly footer: string;
}

const TEMPLATES = join(import.meta.dirname, 'templates');
const FILES = { html: 'mail.html.eta', text: 'mail.txt.eta' } as const;

/** Compiles a template, and tries that of the operator. @throws WrongTextFile */
function createTemplate(directory: string | null, name: string, autoEscape: boolean) {
  const others = directory === null ? '' : join(directory, name);
  const isOthers = others !== '' && existsSync(others);
  const file = isOthers ? others : join(TEMPLATES, name);
  const engine = new Eta({ autoEscape, autoTrim: false });
  try {
    const template = engine.compile(readText(file));
    const render = (texts: MailTexts) => engine.render(template, texts);
    if (isOthers) requireLink(file, render(SAMPLE));
    return render;
  } catch (error) {
    throw error instanceof WrongTextFile ? error : new WrongTextFile(file, firstLine(error));
  }
}

/** Messages without their link would be of no use, and nobody would notice before a user complains. */
function requireLink(file: string, message: string): void {
  if (!message.includes(SAMPLE_URL)) throw new WrongTextFile(file, 'must show the link: it.link.url');
}

const firstLine = (error: unknown): string => (error as Error).message.split('\n', 1)[0]!;

const SAMPLE_URL = 'https://accounts.example.com/account/reset-password/token';

const SAMPLE: MailTexts = {
  language: 'en',
  direction: 'ltr',
  subject: 'Subject',
  greeting: 'Hello,',
  paragraphs: ['Text', 'Advice'],
  link: { url: SAMPLE_URL, action: 'Action', asText: 'As text:', validity: 'Valid' },
  service: 'Example',
  palette: null,
  footer: 'Footer',
};
