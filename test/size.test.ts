/** Prints how large the project is. Not limits: whoever adds much sees it. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const isTest = (file: string) => /^test\/|\.test\.ts$/.test(file);
const find = (pattern: string) => globSync(pattern, { exclude: ['**/node_modules/**'] });
const countLines = (text: string) => text.split('\n').length - 1;
const countWords = (text: string) => text.split(/\s+/).filter((word) => word !== '').length;

const sources = find('{src,web,test}/**/*.{ts,tsx,css}').filter((file) => !file.endsWith('.d.ts'));
const code = (directory: string) =>
  sources.filter((file) => file.startsWith(`${directory}/`) && !isTest(file));

/** What is counted, its files, and the measure. */
const COUNTED = [
  ['src', code('src'), 'lines', countLines],
  ['web', code('web'), 'lines', countLines],
  ['tests with support', sources.filter(isTest), 'lines', countLines],
  ['documents', find('{*.md,docs/**/*.md}'), 'words', countWords],
] as const;

test('the size of the project is printed as a table', (context) => {
  for (const [name, files, unit, count] of COUNTED) {
    const total = files.reduce((sum, file) => sum + count(readFileSync(file, 'utf8')), 0);
    assert.ok(total > 0, name);
    const row = [name.padEnd(20), `${total} ${unit}`.padStart(14), `${files.length} files`.padStart(12)];
    context.diagnostic(row.join(''));
  }
});
