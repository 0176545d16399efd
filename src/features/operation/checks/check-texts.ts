/** Checks the operator's own texts and templates: a start with a wrong one fails. */
import { createTexts } from '../../texts/texts.ts';
import { WrongTextFile } from '../../texts/wrong-text-file.ts';
import { type Finding, failure, ok } from './finding.ts';

/** `textsDir`: TEXTS_DIR; null if it is not set. */
export async function checkTexts({ textsDir }: { readonly textsDir: string | null }): Promise<Finding[]> {
  if (textsDir === null) return [];
  try {
    const { languages } = await createTexts(textsDir);
    return [ok('texts', `The texts in ${textsDir} can be used; languages: ${languages.join(', ')}`)];
  } catch (error) {
    if (!(error instanceof WrongTextFile)) throw error;
    return [failure('texts', `TEXTS_DIR: ${error.message}: correct it, because the next start fails`)];
  }
}
