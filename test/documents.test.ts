/** Holds the documents to the code: problem codes, settings, file names and links. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { limitVariable } from '../src/config/rate-limits.ts';
import { readConfig } from '../src/config.ts';
import { renderMarkdownPage } from '../src/features/pages/documents/markdown-page.ts';
import { catalogue } from '../src/problems/problem.ts';
import { DEFAULT_LIMITS, LIMIT_NAMES } from '../src/rate-limits/limits.ts';
import { routes } from './support/routes.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const findIds = (page: string) => [...page.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id!);
const FRAME = { basePath: '', hasConsole: true, styles: [], themeScripts: [] };
/** Returns the anchors of a document, which the service and GitHub derive from its headings alike. */
const findAnchors = (path: string) => findIds(renderMarkdownPage(read(path), FRAME));

describe('docs/problems.md', () => {
  const headings = [...read('docs/problems.md').matchAll(/^### `([^`]+)`$/gm)].map(([, code]) => code!);

  for (const code of Object.keys(catalogue)) {
    test(`docs/problems.md has a section for ${code} at the anchor that the problem type links to`, () => {
      assert.ok(headings.includes(code));
      assert.ok(findAnchors('docs/problems.md').includes(code));
    });
  }

  test('docs/problems.md has sections for codes of the catalogue only, each once', () => {
    assert.deepEqual(
      headings.filter((code) => !(code in catalogue)),
      [],
    );
    assert.deepEqual(headings, [...new Set(headings)]);
  });
});

/** Settings that are optional, generated or computed. */
const WITHOUT_DEFAULT = [
  'DATABASE_URL',
  'ADMIN_TOKEN',
  'SECRET_KEY',
  'PUBLIC_URL',
  'CORS_ORIGINS',
  'TRUST_PROXY',
  'PASSWORD_PEPPER',
  'PASSWORD_THREADS',
  'SMTP_URL',
  'MAIL_FROM',
  'OPERATOR_EMAIL',
  'WEBHOOK_ALLOW',
];

describe('settings in the documentation', () => {
  const config = read('src/config.ts') + read('src/config/rate-limits.ts') + read('src/config/mail.ts');
  const named = [...config.matchAll(/\bread(?:\.\w+\(|, )'([A-Z][A-Z_]+)'/g)].map(([, name]) => name!);
  const limits = LIMIT_NAMES.map(limitVariable);
  const settings = [...named, ...limits];
  const readme = read('README.md');
  const operations = read('docs/operations.md');
  const findRow = (document: string, name: string) =>
    document.split('\n').find((row) => row.startsWith(`| \`${name}\` |`));

  test('settings are extracted from the code that reads them', () => {
    assert.ok(named.length > 20);
    for (const name of settings)
      assert.ok(config.includes(name.startsWith('RATE_LIMIT_') ? 'RATE_LIMIT_' : name), name);
  });

  /** Returns the default in the table of README.md, undefined where it is described in words or missing. */
  const readmeDefault = (name: string) =>
    /^`([^`]+)`$/.exec(findRow(readme, name)?.split('|')[2]?.trim() ?? '')?.[1];

  /** Without where the values come from. */
  const effective = (environment: Record<string, string | undefined>) => {
    const config = readConfig(environment);
    return { ...config, settings: config.settings.map(({ source, ...setting }) => setting) };
  };

  for (const name of named.filter((name) => !WITHOUT_DEFAULT.includes(name))) {
    test(`the table of README.md has the setting ${name} with its default`, () => {
      const value = readmeDefault(name);
      assert.notEqual(value, undefined);
      assert.deepEqual(effective({ [name]: value }), effective({}));
    });
  }

  for (const name of WITHOUT_DEFAULT) {
    test(`the table of README.md has the setting ${name} without a fixed default`, () => {
      assert.ok(named.includes(name) && findRow(readme, name) !== undefined);
      assert.equal(readmeDefault(name), undefined);
    });
  }

  for (const [index, name] of limits.entries()) {
    test(`the table of docs/operations.md has the setting ${name} with its default`, () => {
      assert.equal(
        findRow(operations, name)?.split('|')[2]?.trim(),
        `\`${DEFAULT_LIMITS[LIMIT_NAMES[index]!]}\``,
      );
    });
  }

  for (const name of settings) {
    test(`docs/operations.md has the setting ${name}`, () => {
      assert.ok(new RegExp(`\\b${name}\\b`).test(operations));
    });
  }

  test('settings of the tables are all read by the code', () => {
    const explained = [...`${readme}\n${operations}`.matchAll(/^\| `([A-Z][A-Z_]+)` \|/gm)].map(
      ([, name]) => name!,
    );
    assert.deepEqual(
      explained.filter((name) => !settings.includes(name)),
      [],
    );
  });

  test('settings in README.md have a link to docs/operations.md', () => {
    assert.match(readme, /\]\(docs\/operations\.md/);
  });
});

/** Returns the targets of `[text](target)` outside code, except URLs with a scheme. */
function findLinks(path: string): string[] {
  const prose = read(path)
    .replace(/^```.*?^```/gms, '')
    .replace(/`[^`\n]*`/g, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)].map(([, target]) => target!);
  return targets.filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target));
}

const documents = globSync(['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'docs/**/*.md'], {
  cwd: ROOT,
}).sort();

describe('source files in the documentation', () => {
  const files = globSync('{bench,src,test,web}/**/*.{ts,js,css}', { cwd: ROOT }).map((file) => `/${file}`);

  for (const path of documents) {
    test(`source files named in ${path} exist`, () => {
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

describe('links in the documentation', () => {
  const servedPaths: readonly string[] = routes
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path);

  test('links are checked in README.md, ARCHITECTURE.md and docs/operations.md', () => {
    for (const path of ['README.md', 'ARCHITECTURE.md', 'docs/operations.md'])
      assert.ok(documents.includes(path), path);
  });

  for (const path of documents) {
    test(`links of ${path} lead to existing files and anchors, or to paths of the service`, () => {
      for (const link of findLinks(path)) {
        const [file = '', anchor] = link.split('#');
        if (file.startsWith('/')) {
          assert.ok(servedPaths.includes(file), `${path} → ${link}`);
          continue;
        }
        const target =
          file === '' ? path : relative(ROOT, join(ROOT, dirname(path), decodeURIComponent(file)));
        assert.ok(existsSync(join(ROOT, target)), `${path} → ${link}`);
        if (anchor === undefined || !target.endsWith('.md')) continue;
        assert.ok(findAnchors(target).includes(anchor), `${path} → ${link}`);
      }
    });
  }
});
