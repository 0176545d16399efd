/** Checks the rules of ARCHITECTURE.md: one test per rule, whose failure lists all violations. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { codeRules, documentationRule } from './support/architecture/code-rules.ts';
import { findCycles, importRules, pagesRule } from './support/architecture/import-rules.ts';
import { parseSource, ROOT, readSources } from './support/architecture/source-files.ts';

const rules = [...importRules, ...codeRules, documentationRule];
const allRules = [...rules, pagesRule];
const sources = readSources();

describe('the code of web', () => {
  test('the code of web has no import cycle, not even of types', () => {
    const pages = readSources('web/**/*.{ts,tsx}');
    assert.ok(pages.length > 20, `${pages.length}`);
    assert.deepEqual(findCycles(pages), []);
  });

  test(`the code of web ${pagesRule.title}`, () => {
    const pages = readSources('web/**/*.{ts,tsx}');
    assert.ok(pages.some(({ imports }) => imports.includes('src/callers/admin-scopes.ts')));
    assert.deepEqual(pagesRule.violations([...pages, ...sources]), []);
  });
});

describe('the code of src', () => {
  for (const { title, violations } of rules) {
    test(`the code of src ${title}`, () => assert.deepEqual(violations(sources), []));
  }

  test('the code of src imports only files that exist, which proves that imports are recognised', () => {
    const imported = sources.flatMap(({ imports }) => imports.filter((name) => /^src\/.*\.ts$/.test(name)));
    assert.ok(imported.length > 100, `${imported.length}`);
    const missing = imported.filter((name) => !sources.some(({ path }) => path === name));
    assert.deepEqual(missing, []);
  });

  test('the code of src imports every package of dependencies in package.json, and no other', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const imported = sources.flatMap(({ values }) =>
      values.filter((name) => !/^(src\/|node:|\.)/.test(name)),
    );
    const used = new Set([...imported, ...importedByPages()].map(getPackageName));
    assert.deepEqual([...used].sort(), Object.keys(dependencies).sort());
  });

  test('the code of src passes environment variables from main and cli to readEnvironment only', () => {
    const lines = sources.flatMap(({ code }) => code.match(/.*process\.env.*/g) ?? []);
    assert.notDeepEqual(lines, []);
    for (const line of lines) assert.match(line, /readEnvironment\(process\.cwd\(\), process\.env\)/);
  });
});

describe('a rule of the architecture', () => {
  for (const { title, violations, broken } of allRules) {
    test(`an architecture rule reports code that breaks it: ${title}`, () => {
      assert.notEqual(broken.length, 0);
      for (const texts of broken) {
        const files = Object.entries(texts).map(([path, text]) => parseSource(path, text));
        assert.equal(violations(files).length, 1, JSON.stringify(texts));
      }
    });
  }
});

/** Returns the modules of packages that the scripts and style sheets of the pages import. */
function importedByPages(): string[] {
  const files = globSync('web/**/*.{ts,tsx,css}', { cwd: ROOT, exclude: ['**/*.test.ts'] });
  const texts = files.map((path) => readFileSync(join(ROOT, path), 'utf8'));
  const imports = texts.flatMap((text) => [
    ...text.matchAll(/(?: from '|@import "|url\(")([^.'"][^'"]*)['"]/g),
  ]);
  return imports.map(([, name]) => name!);
}

/** Returns the name of the package that a module belongs to: `@scope/name` or `name`. */
function getPackageName(module: string): string {
  return module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/');
}
