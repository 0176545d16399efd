/** Holds what ARCHITECTURE.md says of the code true. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Source {
  /** Relative to the project. */
  readonly path: string;
  readonly text: string;
  /** What it imports: paths relative to the project, or names of packages. Types count as well. */
  readonly imports: readonly string[];
  /** Of these, the ones that are there when it runs. */
  readonly values: readonly string[];
}

/** Statements, and what is loaded later: `import('…')`, `require('…')`, `import.meta.resolve('…')`. */
const IMPORT =
  /^(?:(?:import|export)\b[^;'"]*?\bfrom|import) '([^']+)';$|\b(?:import|require|import\.meta\.resolve)\(\s*'([^']+)'/gm;
const IMPORTED_TYPES = /^import type\b/;

const sources: Source[] = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .sort()
  .map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const found = [...text.matchAll(IMPORT)]
      .map(([statement, stated, loaded]) => [statement, stated ?? loaded!] as const)
      .map(([statement, name]) => ({
        name: name.startsWith('.') ? normalize(join(dirname(path), name)) : name,
        isType: IMPORTED_TYPES.test(statement),
      }));
    const values = found.filter(({ isType }) => !isType).map(({ name }) => name);
    return { path, text, imports: found.map(({ name }) => name), values };
  });

/** Rooms and files of src, each built only on those before it. */
const ORDER = [
  'problems',
  'lib',
  'database',
  'http',
  'features',
  'app',
  'config',
  'logger',
  'secret-files',
  'secret-key-check',
  'housekeeping',
  'start',
  'announcement',
  'main',
  'cli',
];

const FEATURES = [
  'users',
  'tokens',
  'activity',
  'accounts',
  'dashboard',
  'form-fields',
  'health',
  'documents',
];

const roomOf = (path: string) => /^src\/([\w-]+)/.exec(path)?.[1] ?? path;
const featureOf = (path: string) => /^src\/features\/([\w-]+)\//.exec(path)?.[1];

function assertOrder(order: readonly string[], from: string, to: string, where: string): void {
  assert.ok(order.includes(from), `${where}: ${from} has a place in the order`);
  assert.ok(order.indexOf(to) <= order.indexOf(from), `${where}: ${from} comes before ${to}`);
}

describe('imports', () => {
  test('are found', () => {
    const edges = sources.flatMap(({ imports }) => imports.filter((path) => path.startsWith('src/')));
    assert.ok(edges.length > 100, `${edges.length}`);
    const missing = edges.filter((path) => !sources.some((source) => source.path === path));
    assert.deepEqual(missing, []);
  });

  for (const { path, imports } of sources) {
    test(`of ${path} point one way`, () => {
      for (const imported of imports.filter((name) => name.startsWith('src/'))) {
        assertOrder(ORDER, roomOf(path), roomOf(imported), `${path} → ${imported}`);
        const [feature, other] = [featureOf(path), featureOf(imported)];
        if (feature !== undefined && other !== undefined) {
          assertOrder(FEATURES, feature, other, `${path} → ${imported}`);
        }
      }
      assert.ok(!imports.some((name) => name.startsWith('test/')), 'the product does not know its tests');
    });
  }

  test('reach settings only from the process: main, cli, start, and the logger for its level', () => {
    const readers = sources
      .filter(({ imports }) => imports.includes('src/config.ts'))
      .map(({ path }) => path);
    assert.deepEqual([...new Set(readers.map(roomOf))], ['cli', 'logger', 'main', 'start']);
  });

  test('of packages are dependencies of the product, not of its development', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const packages = sources.flatMap(({ imports }) =>
      imports.filter((name) => !/^(src\/|node:|\.)/.test(name)),
    );
    for (const name of new Set(packages)) {
      const root = name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/');
      assert.ok(root in dependencies, name);
    }
    const unused = Object.keys(dependencies).filter(
      (root) => !packages.some((name) => name.startsWith(root)),
    );
    assert.deepEqual(unused, []);
  });

  test('make no circle of files that need each other to run', () => {
    const byPath = new Map(sources.map((source) => [source.path, source]));
    const done = new Set<string>();
    const visit = (path: string, trail: readonly string[]): void => {
      assert.ok(!trail.includes(path), [...trail, path].join(' → '));
      if (done.has(path)) return;
      for (const imported of byPath.get(path)?.values ?? []) visit(imported, [...trail, path]);
      done.add(path);
    };
    for (const { path } of sources) visit(path, []);
  });
});

describe('SQL', () => {
  const isHome = (path: string) => path.startsWith('src/database/') || path.endsWith('/queries.ts');
  /** A string that begins as a statement does; sentences for people begin with one capital. */
  const STATEMENT = /['"`]\s*(?:select|insert into|update|delete from|create|drop|alter|with)\s+[\w*(]/;
  const SHOUTED = new RegExp(STATEMENT.source.replace(/[a-z ]+(?=[|)])/g, (words) => words.toUpperCase()));

  test('is recognised by this test where it is at home', () => {
    assert.ok(sources.filter(({ path, text }) => isHome(path) && STATEMENT.test(text)).length > 5);
  });

  for (const { path, text } of sources.filter((source) => !isHome(source.path))) {
    test(`does not stand in ${path}`, () => {
      for (const pattern of [STATEMENT, SHOUTED, /\bsql(?:<[^>]*>)?\(/])
        assert.equal(pattern.exec(text)?.[0], undefined);
    });
  }
});

describe('database engines', () => {
  /** An engine name as a value, or SQL of one engine. */
  const ENGINE = /(['"`])(?:sqlite|postgres(?:ql)?)\1|\bclock_timestamp\b|\bpg_\w+|\bsqlite_\w+/i;

  test('are found by this rule in src/database', () => {
    const found = sources.filter(({ path, text }) => path.startsWith('src/database/') && ENGINE.test(text));
    assert.notDeepEqual(found, []);
  });

  for (const { path, text } of sources.filter((source) => !source.path.startsWith('src/database/'))) {
    test(`are not told apart in ${path}, which uses the capabilities of Database instead`, () => {
      assert.equal(ENGINE.exec(text)?.[0], undefined);
    });
  }
});

test('the environment is read by config.ts alone, which main and cli hand it to', () => {
  for (const { path, text } of sources) {
    const code = text.replace(/\/\*.*?\*\/|\/\/.*$/gms, '');
    const uses = code.match(/.*process\.env.*/g) ?? [];
    const allowed = ['src/main.ts', 'src/cli.ts'].includes(path) ? /readConfig\(process\.env\)/ : /^$/;
    for (const use of uses) assert.match(use, allowed, path);
  }
});

/** The names of these say what they are, in every feature alike. */
const SELF_EXPLAINING = /\/(routes|schemas|queries)\.ts$|\/migrations\//;

for (const { path, text } of sources.filter((source) => !SELF_EXPLAINING.test(source.path))) {
  test(`${path} says what it is for: at its head, or over the first thing that it exports`, () => {
    const isAtHead = text.startsWith('/**');
    const firstExport =
      /(\*\/\s*)?^export (?:abstract |async )?(?:function|class|const|interface|type)\b/m.exec(text);
    assert.ok(isAtHead || firstExport?.[1] !== undefined);
  });
}
