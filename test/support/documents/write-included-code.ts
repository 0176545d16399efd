/** Copies code from files into the documents that include it, and writes the table of settings: `npm run docs`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENTS_WITH_CODE, includeCode, ROOT } from './included-code.ts';
import { replaceSettingsTable, SETTINGS_DOCUMENT } from './settings-table.ts';

rewrite(SETTINGS_DOCUMENT, replaceSettingsTable);
for (const path of DOCUMENTS_WITH_CODE) rewrite(path, includeCode);

function rewrite(path: string, change: (document: string) => string): void {
  const file = join(ROOT, path);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}
