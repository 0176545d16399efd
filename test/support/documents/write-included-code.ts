/** Copies code from files into the documents that include it: `npm run docs`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENTS_WITH_CODE, includeCode, ROOT } from './included-code.ts';

for (const path of DOCUMENTS_WITH_CODE) {
  const file = join(ROOT, path);
  writeFileSync(file, includeCode(readFileSync(file, 'utf8')));
}
