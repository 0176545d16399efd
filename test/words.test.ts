/** Holds the texts that people read to one word for one thing. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');

/** People sign in, addresses are verified, and the token of the first owner has the name of its setting. */
const OTHER_WORDS =
  /\blog(s|ged|ging)?( you)?[ -](in|out)\b|\blog(in|out)s?\b|\b(un)?confirmed\b|\badministrator('s)? (token|credential)\b/i;

/** Codes, keys of objects, names of functions and paths, which never change. */
const CODES =
  /'[\w.*-]+'|"[\w.]+":|\b\w+[_.]\w+\b|^\s*[\w'-]+(?=: )|\b\w*(?<=[a-z])[A-Z]\w*|\/log(in|out)\b|\(\w+\)/g;
const COMMENTS = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

const SOURCES = {
  'pages of the console and the account': 'web/{console,account,common}/**/*.{ts,tsx}',
  'pages and messages': 'src/features/texts/languages/en.json',
  events: 'src/features/events/types/*.ts',
  'settings and limits': '{src/settings/*table.ts,src/rate-limits/limits.ts}',
  'alerts and checks': 'src/features/{alerts,operation/checks}/*.ts',
  'the announcement of a start': 'src/startup/announcement.ts',
};

/** Returns the lines of a file without comments and codes. */
function readTexts(path: string): string[] {
  const source = readFileSync(join(ROOT, path), 'utf8').replaceAll(COMMENTS, '');
  return source.split('\n').map((line) => line.replaceAll(CODES, ''));
}

describe('words', () => {
  for (const [name, pattern] of Object.entries(SOURCES)) {
    test(`the texts of ${name} say sign in, verified and ADMIN_TOKEN, and no other words for them`, () => {
      const files = globSync(pattern, { cwd: ROOT }).filter((path) => !/\.test\.ts$|\.d\.ts$/.test(path));
      assert.ok(files.length > 0);
      for (const path of files)
        assert.deepEqual(
          readTexts(path).filter((line) => OTHER_WORDS.test(line)),
          [],
          path,
        );
    });
  }

  test('the headings of documents say sign in, verified and ADMIN_TOKEN, and no other words for them', () => {
    for (const path of globSync(['README.md', 'docs/*.md'], { cwd: ROOT })) {
      const headings = readFileSync(join(ROOT, path), 'utf8').match(/^#+ .*$/gm) ?? [];
      const words = headings.map((heading) => heading.replaceAll(/`[^`]*`/g, ''));
      assert.deepEqual(
        words.filter((heading) => OTHER_WORDS.test(heading)),
        [],
        path,
      );
    }
  });
});
