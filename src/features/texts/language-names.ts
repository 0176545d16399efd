/** Finds languages by the names of their files. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { toLocale } from '../../lib/text/locale.ts';

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
