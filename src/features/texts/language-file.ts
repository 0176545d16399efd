/** Finds and reads files with the texts of one language, such as `de.json`: messages in ICU MessageFormat. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  isArgumentElement,
  isLiteralElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  type MessageFormatElement,
  parse,
} from '@formatjs/icu-messageformat-parser';
import { readText } from '../../lib/files.ts';
import { toLocale } from '../../lib/text/locale.ts';
import type english from './languages/en.json';

/** Texts of the service. */
export const OWN_DIRECTORY = join(import.meta.dirname, 'languages');
/** The language of a text that others lack, and of clients that accept none of the languages. */
export const FALLBACK_LANGUAGE = 'en';

export type TextValues = Readonly<Record<string, string | number>>;

export interface LanguageTexts {
  /** Language tag (RFC 5646). */
  readonly language: string;
  /** `rtl` for scripts that are written from right to left. */
  readonly direction: 'ltr' | 'rtl';
  /** Returns a text with its placeholders replaced. */
  text(key: TextKey, values?: TextValues): string;
  /** Formats a number without separators of thousands, so that it can be typed again: `1500,5`. */
  number(value: number): string;
  /** Formats a time with its zone, the name of an IANA time zone: `21 Nov 2026, 21:39 UTC`, `21 Nov 2026, 22:39 (Europe/Berlin)`. */
  time(milliseconds: number, timeZone?: string | null): string;
  /** Formats a duration in its largest unit: `2 hours`. */
  duration(seconds: number): string;
}

/** Names of all texts. English has each of them. */
export type TextKey = Exclude<keyof typeof english, 'locale'>;

/** Messages by key; `locale` is the locale of dates and durations. */
export type Messages = Readonly<Record<string, string>>;

/** Reads the texts of a language. @throws WrongTextFile if it is not an object of texts */
export function readMessages(directory: string, language: string): Messages {
  const file = join(directory, `${language}.json`);
  const content = parseJson(file);
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new WrongTextFile(file, 'must contain an object with texts');
  for (const [key, value] of Object.entries(content)) {
    if (typeof value !== 'string' || value.trim() === '')
      throw new WrongTextFile(file, `"${key}" must be a text that is not empty`);
  }
  return content as Messages;
}

function parseJson(file: string): unknown {
  try {
    return JSON.parse(readText(file));
  } catch (error) {
    throw new WrongTextFile(file, (error as Error).message);
  }
}

/** Verifies keys, syntax and placeholders of all messages. @throws WrongTextFile */
export function checkMessages(file: string, messages: Messages, english: Messages): void {
  for (const [key, message] of Object.entries(messages)) {
    const fault = findTextFault(key, message, english);
    if (fault !== null) throw new WrongTextFile(file, `"${key}" ${fault}`);
  }
}

/** Returns why this cannot be the text of the key, to go on after the key; null if it can. */
export function findTextFault(key: string, message: string, english: Messages): string | null {
  if (!Object.hasOwn(english, key)) return 'is not the name of a text';
  if (key === 'locale') return toLocale(message) === null ? 'is not a locale of BCP 47' : null;
  const known = listPlaceholders(english[key]!);
  try {
    const wrong = listPlaceholders(message).find((name) => !known.includes(name));
    if (wrong === undefined) return null;
    const names = known.length === 0 ? 'none' : known.map((name) => `{${name}}`).join(', ');
    return `has the unknown placeholder {${wrong}}; it can have ${names}`;
  } catch (error) {
    return `is not a message of ICU MessageFormat: ${(error as Error).message}`;
  }
}

/** Returns the names of the placeholders of a message. @throws Error for a wrong syntax */
export function listPlaceholders(message: string): string[] {
  return [...new Set(collectNames(parse(message, { ignoreTag: true })))].sort();
}

function collectNames(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (isLiteralElement(element) || isPoundElement(element)) return [];
    if (isSelectElement(element) || isPluralElement(element)) {
      return [element.value, ...Object.values(element.options).flatMap(({ value }) => collectNames(value))];
    }
    if (isArgumentElement(element)) return [element.value];
    throw new Error('only texts, {placeholders}, select and plural can be used');
  });
}

const ENDING = '.json';

/** Lists the languages of a directory: those that have a file such as `de.json` or `pt-BR.json`. @throws WrongTextFile */
export function listLanguages(directory: string): string[] {
  const names = listFiles(directory).filter((name) => name.endsWith(ENDING));
  return names.map((name) => toLanguage(directory, name)).sort();
}

function listFiles(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    throw new WrongTextFile(directory, `cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function toLanguage(directory: string, fileName: string): string {
  const language = fileName.slice(0, -ENDING.length);
  if (toLocale(language) === language) return language;
  const expected = 'the name is not a language tag such as de.json or pt-BR.json';
  throw new WrongTextFile(join(directory, fileName), expected);
}

/** A file of texts that the service cannot use. The message is one line that names the file and its defect. */
export class WrongTextFile extends Error {
  constructor(file: string, problem: string) {
    super(`${file}: ${problem.replaceAll(/\s+/g, ' ')}`);
    this.name = 'WrongTextFile';
  }
}
