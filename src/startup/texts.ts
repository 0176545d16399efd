/** Reads the texts of pages and messages at the start. */
import { ConfigError } from '../config.ts';
import { WrongTextFile } from '../features/texts/language-file.ts';
import { createTexts, type Texts } from '../features/texts/texts.ts';

/** @param directory TEXTS_DIR; null: none. @throws ConfigError that names the file */
export async function readTexts(directory: string | null): Promise<Texts> {
  try {
    return await createTexts(directory);
  } catch (error) {
    if (error instanceof WrongTextFile)
      throw new ConfigError('TEXTS_DIR', `has a file that cannot be used: ${error.message}`);
    throw error;
  }
}
