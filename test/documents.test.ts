/** Holds the documents to the code: problem codes, settings, file names and links. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { limitVariable } from '../src/config/rate-limits.ts';
import { renderMarkdownPage } from '../src/features/documents/markdown-page.ts';
import { DEFAULT_LIMITS, LIMIT_NAMES } from '../src/http/rate-limits/limits.ts';
import { catalogue } from '../src/problems.ts';
import { routes } from './support/routes.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const idsOf = (page: string) => [...page.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id!);
/** Returns the anchors of a document, which the service and GitHub derive from its headings alike. */
const anchorsOf = (path: string) => idsOf(renderMarkdownPage(read(path)));

describe('docs/problems.md', () => {
  const headings = [...read('docs/problems.md').matchAll(/^### `([^`]+)`$/gm)].map(([, code]) => code!);

  for (const code of Object.keys(catalogue)) {
    test(`has a section for ${code} at the anchor that the problem type links to`, () => {
      assert.ok(headings.includes(code));
      assert.ok(anchorsOf('docs/problems.md').includes(code));
    });
  }

  test('has sections for codes of the catalogue only, each once', () => {
    assert.deepEqual(
      headings.filter((code) => !(code in catalogue)),
      [],
    );
    assert.deepEqual(headings, [...new Set(headings)]);
  });
});

describe('settings', () => {
  const config = read('src/config.ts') + read('src/config/rate-limits.ts');
  const named = [...config.matchAll(/\bread(?:\.\w+\(|, )'([A-Z][A-Z_]+)'/g)].map(([, name]) => name!);
  const limits = LIMIT_NAMES.map(limitVariable);
  const settings = [...named, ...limits];
  const readme = read('README.md');
  const operations = read('docs/operations.md');
  const rowOf = (document: string, name: string) =>
    document.split('\n').find((row) => row.startsWith(`| \`${name}\` |`));

  /** Returns the default of a setting that has a literal one. */
  const fallbackOf = (name: string) => {
    const fallback = new RegExp(
      `'${name}', (?:'([^']+)'|\\{ fallback: ([\\d_]+),|.*\\], '([^']+)'\\)|LOG_LEVELS, '(\\w+)')`,
    );
    return fallback.exec(config)?.slice(1).find(Boolean);
  };

  test('are extracted with their defaults from the code that reads them', () => {
    assert.ok(named.length > 20);
    const defaults = ['DATA_DIR', 'PORT', 'LOG_LEVEL', 'RATE_LIMITS'].map(fallbackOf);
    assert.deepEqual(defaults, ['./data', '3000', 'info', 'on']);
    for (const name of settings)
      assert.ok(config.includes(name.startsWith('RATE_LIMIT_') ? 'RATE_LIMIT_' : name), name);
  });

  for (const name of named) {
    test(`include ${name} in the table of README.md with its default`, () => {
      const row = rowOf(readme, name);
      assert.ok(row);
      const fallback = fallbackOf(name);
      if (fallback !== undefined)
        assert.equal(row.split('|')[2]?.trim(), `\`${fallback.replaceAll('_', '')}\``);
    });
  }

  for (const [index, name] of limits.entries()) {
    test(`include ${name} in the table of docs/operations.md with its default`, () => {
      assert.equal(
        rowOf(operations, name)?.split('|')[2]?.trim(),
        `\`${DEFAULT_LIMITS[LIMIT_NAMES[index]!]}\``,
      );
    });
  }

  for (const name of settings) {
    test(`include ${name} in docs/operations.md`, () => {
      assert.ok(new RegExp(`\\b${name}\\b`).test(operations));
    });
  }

  test('of the tables are all read by the code', () => {
    const explained = [...`${readme}\n${operations}`.matchAll(/^\| `([A-Z][A-Z_]+)` \|/gm)].map(
      ([, name]) => name!,
    );
    assert.deepEqual(
      explained.filter((name) => !settings.includes(name)),
      [],
    );
  });

  test('have a link from README.md to docs/operations.md', () => {
    assert.match(readme, /\]\(docs\/operations\.md/);
  });
});

/** Returns the targets of `[text](target)` outside code, except URLs with a scheme. */
function linksOf(path: string): string[] {
  const prose = read(path)
    .replace(/^```.*?^```/gms, '')
    .replace(/`[^`\n]*`/g, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)].map(([, target]) => target!);
  return targets.filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target));
}

const documents = globSync(['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'docs/**/*.md'], {
  cwd: ROOT,
}).sort();

describe('source files', () => {
  const files = globSync('{bench,src,test,web}/**/*.{ts,js,css}', { cwd: ROOT }).map((file) => `/${file}`);

  for (const path of documents) {
    test(`named in ${path} exist`, () => {
      const named = [...read(path).matchAll(/(?<=[`\s])([\w./-]+\.(?:ts|css|js))(?=[`\s,:;])/g)].map(
        ([, file]) => file!,
      );
      assert.deepEqual(
        named.filter((name) => !files.some((file) => file.endsWith(`/${name}`))),
        [],
      );
    });
  }
});

describe('links', () => {
  const servedPaths: readonly string[] = routes
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path);

  test('are checked in README.md, ARCHITECTURE.md and docs/operations.md', () => {
    for (const path of ['README.md', 'ARCHITECTURE.md', 'docs/operations.md'])
      assert.ok(documents.includes(path), path);
  });

  for (const path of documents) {
    test(`of ${path} lead to existing files and anchors, or to paths of the service`, () => {
      for (const link of linksOf(path)) {
        const [file = '', anchor] = link.split('#');
        if (file.startsWith('/')) {
          assert.ok(servedPaths.includes(file), `${path} → ${link}`);
          continue;
        }
        const target =
          file === '' ? path : relative(ROOT, join(ROOT, dirname(path), decodeURIComponent(file)));
        assert.ok(existsSync(join(ROOT, target)), `${path} → ${link}`);
        if (anchor === undefined || !target.endsWith('.md')) continue;
        assert.ok(anchorsOf(target).includes(anchor), `${path} → ${link}`);
      }
    });
  }
});
