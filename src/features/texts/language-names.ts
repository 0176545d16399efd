/** Finds languages by the names of their files. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { toLocale } from '../../lib/text/locale.ts';
import { WrongTextFile } from './wrong-text-file.ts';

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
