/** Holds the documents to the code: problem codes, settings, file names and links. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { ADMIN_SCOPES, RECENT_SIGN_IN_MINUTES, ROLES } from '../src/callers/admin-scopes.ts';
import type { CommandContext } from '../src/cli/context.ts';
import { createProgram } from '../src/cli/run-command.ts';
import { migrate } from '../src/database/migrate.ts';
import { openDatabase } from '../src/database/open.ts';
import { listTables } from '../src/database/tables.ts';
import { renderMarkdownPage } from '../src/features/pages/documents/markdown-page.ts';
import { userSchema } from '../src/features/users/records/schemas.ts';
import { catalogue } from '../src/problems/problem.ts';
import { DEFINITIONS } from '../src/settings/table.ts';
import { DOCUMENTS_WITH_CODE, includeCode } from './support/documents/included-code.ts';
import { replaceSettingsTable, SETTINGS_DOCUMENT } from './support/documents/settings-table.ts';
import { bodyLimits, routes } from './support/routes.ts';
import { createTestDatabase } from './support/runner/engines.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const findIds = (page: string) => [...page.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id!);
const FRAME = {
  basePath: '',
  hasConsole: true,
  styles: [],
  themeScripts: [],
  moduleScripts: [],
  icons: [],
  search: [],
  fontPreloads: [],
  path: '',
  serviceName: '',
  logo: null,
};
const anchors = new Map<string, readonly string[]>();
/** Returns the anchors of a document, which the service and GitHub derive from its headings alike. */
const findAnchors = (path: string) =>
  anchors.getOrInsertComputed(path, () => findIds(renderMarkdownPage(read(path), FRAME)));

describe('examples in the documents', () => {
  test('records of users in docs/accounts.md have the members that responses have', () => {
    const required = userSchema.required.toSorted();
    const text = read('docs/accounts.md');
    const records = [...text.matchAll(/^\{"message":"(?:Current user|Account updated)[^\n]*$/gm)];
    assert.notEqual(records.length, 0);
    for (const [record] of records)
      assert.deepEqual(Object.keys(JSON.parse(record).data).sort(), required, record);
  });

  const texts = globSync(['README.md', 'examples/README.md', 'docs/*.md'], { cwd: ROOT });

  test('examples have one name for the service, its credentials and its Node', () => {
    for (const path of texts) {
      const text = read(path);
      assert.doesNotMatch(text, /https:\/\/(?:id|auth|login|frontdesk)\.example\.com/, path);
      assert.ok(!(text.includes('localhost:3000') && text.includes('127.0.0.1:3000')), path);
      assert.doesNotMatch(text, /\$ADMIN\b(?!_)|(?<!\.bin\/)\bnode examples\//, path);
      for (const [, name] of text.matchAll(/Bearer \$(\w+)/g))
        assert.ok(['ADMIN_TOKEN', 'CREDENTIAL', 'TOKEN'].includes(name!), `${path} ${name}`);
    }
  });
});

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

describe('docs/security.md', () => {
  test('docs/security.md has the age of a recent sign-in, and other documents refer to it', () => {
    assert.ok(read('docs/security.md').includes(`a sign-in within ${RECENT_SIGN_IN_MINUTES} minutes`));
    for (const path of globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }))
      if (!['CHANGELOG.md', 'docs/security.md'].includes(path))
        assert.doesNotMatch(read(path), /sign-in (?:within|of) (?:the last )?\S+ minutes/, path);
  });
});

describe('docs/idempotency.md', () => {
  test('docs/idempotency.md names every operation that supports Idempotency-Key, and no other', () => {
    const [table = ''] = read('docs/idempotency.md').split('| all others |');
    const named = [...table.matchAll(/`(POST \/[^`]+)`/g)].map(([, operation]) => operation!);
    const supported = routes.filter(({ idempotent }) => idempotent);
    assert.deepEqual(named.toSorted(), supported.map(({ method, path }) => `${method} ${path}`).toSorted());
  });
});

describe('docs/credentials.md', () => {
  const rows = read('docs/credentials.md').split('\n');

  test('docs/credentials.md says of each scope and role what the console says', () => {
    for (const [scope, { meaning }] of Object.entries(ADMIN_SCOPES)) {
      const row = `| \`${scope}\` | ${meaning.replace(/\.$/, '')}`;
      assert.ok(
        rows.some((each) => each.startsWith(`${row} |`) || each.startsWith(`${row}: [`)),
        row,
      );
    }
    for (const [role, scopes] of Object.entries(ROLES)) {
      assert.ok(rows.includes(`| ${role} | ${scopes.map((scope) => `\`${scope}\``).join(', ')} |`), role);
    }
  });
});

describe('settings in the documentation', () => {
  const operations = read('docs/operations.md');
  const getSection = (heading: string) => operations.split(`\n${heading}\n`)[1]!.split(/\n##+ /)[0]!;

  test(`${SETTINGS_DOCUMENT} has the present table of settings (npm run docs)`, () => {
    assert.equal(read(SETTINGS_DOCUMENT), replaceSettingsTable(read(SETTINGS_DOCUMENT)));
  });

  test('settings link to sections of docs/operations.md, which names all that link to none of their own', () => {
    const anchors = findAnchors('docs/operations.md');
    for (const [name, { section, values = '' }] of DEFINITIONS) {
      assert.ok(anchors.includes(section ?? 'single-settings'), name);
      if (section === undefined && !values.includes(']('))
        assert.match(operations, new RegExp(`\\b${name}\\b`));
    }
  });

  test('docs/operations.md has the size of bodies of every route, and no other', () => {
    const [, row = ''] = /^\| body of a request \|([^|]+)/m.exec(operations)!;
    const sizes = [...row.matchAll(/(\d+) ([KM])iB/g)].map(
      ([, size, unit]) => Number(size) * (unit === 'K' ? 1_024 : 1_048_576),
    );
    assert.deepEqual(sizes.sort(), [...bodyLimits].sort());
  });

  test('tables of the database are all in the table of docs/operations.md about growth', async (context) => {
    const testDatabase = await createTestDatabase('sqlite');
    const database = openDatabase({ databaseUrl: null, dataDir: testDatabase.directory, databasePool: 1 });
    context.after(() => database.close().then(testDatabase.remove));
    await migrate(database);
    const growth = getSection('## Growth');
    const tables = await listTables(database, database.engine);
    assert.deepEqual(
      tables.map(({ name }) => name).filter((name) => !growth.includes(`\`${name}\``)),
      [],
    );
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

/** Names that look like those of files. */
const PRODUCTS = ['Auth.js', 'Next.js'];

describe('source files in the documentation', () => {
  const files = globSync('{bench,bin,examples,src,test,web}/**/*.{ts,js,css}', {
    cwd: ROOT,
    exclude: ['**/node_modules'],
  }).map((file) => `/${file}`);

  for (const path of documents) {
    test(`source files named in ${path} exist`, () => {
      const named = [...read(path).matchAll(/(?<=[`\s])([\w./-]+\.(?:ts|css|js))(?=[`\s,:;])/g)].map(
        ([, file]) => file!,
      );
      assert.deepEqual(
        named.filter((name) => !PRODUCTS.includes(name) && !files.some((file) => file.endsWith(`/${name}`))),
        [],
      );
    });
  }
});

describe('commands in the documentation', () => {
  const program = createProgram({} as CommandContext);
  const { paths } = JSON.parse(read('openapi.json')) as { paths: Record<string, Record<string, object>> };
  const operations = new Set(
    Object.values(paths).flatMap((item) =>
      Object.values(item).map((operation) => (operation as { operationId: string }).operationId),
    ),
  );

  /** Returns the first word that is no command; undefined if all are, up to arguments and options. */
  function findUnknown(words: readonly string[]): string | undefined {
    let command: Command = program;
    for (const word of words) {
      if (!/^[a-z][\w-]*$/i.test(word)) return undefined;
      if (command.name() === 'api') return operations.has(word) ? undefined : word;
      const found = command.commands.find((each) => each.name() === word);
      if (found === undefined) return command.commands.length === 0 ? undefined : word;
      command = found;
    }
    return undefined;
  }

  // The changelog also names commands of earlier releases.
  const files = [
    ...documents.filter((path) => path !== 'CHANGELOG.md'),
    'CONTRIBUTING.md',
    ...globSync('{src,web,deploy,examples}/**/*.{ts,tsx,md,yaml,yml,service,sh}', {
      cwd: ROOT,
      exclude: ['**/node_modules'],
    }),
  ];
  const named = files.flatMap((path) =>
    [...read(path).matchAll(/npm run (?:-s )?cli -- ([^`"\n]+)/g)].map(([, text]) => ({ path, text: text! })),
  );

  test('commands named in documents, texts and help exist, and so do the operations that `api` calls', () => {
    assert.ok(named.length > 50, `${named.length}`);
    const unknown = named.filter(({ text }) => findUnknown(text.trim().split(/\s+/)) !== undefined);
    assert.deepEqual(unknown, []);
  });

  test('commands are all in the table of docs/operations.md, which has no others', () => {
    const [, section = ''] = read('docs/operations.md').split('\n## Commands\n');
    const [table = ''] = section.split('\n### ');
    const rows = [...table.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell]) => cell!);
    const inTable = rows.flatMap((cell) =>
      [...cell.matchAll(/`([^`<]+?)(?: <[^`]*)?`/g)].map(([, name]) => name!),
    );
    const all = program.commands.flatMap((group) =>
      group.commands.length === 0
        ? [group.name()]
        : group.commands.map((command) => `${group.name()} ${command.name()}`),
    );
    assert.deepEqual(inTable.toSorted(), all.toSorted());
  });
});

describe('code in the documentation', () => {
  test('code is included in the documents with examples', () => {
    const names = ['deployment', 'integrate', 'mobile', 'next', 'oidc', 'start'];
    assert.deepEqual(
      DOCUMENTS_WITH_CODE.toSorted(),
      names.map((name) => `docs/${name}.md`),
    );
  });

  for (const path of DOCUMENTS_WITH_CODE) {
    test(`code in ${path} is that of the files it names: run \`npm run docs\` after a change`, () => {
      const document = read(path);
      assert.equal(document, includeCode(document));
    });
  }

  test('code in the documents is taken from every example', () => {
    const included = DOCUMENTS_WITH_CODE.map(read).join('');
    const directories = globSync('examples/*/', { cwd: ROOT }).map((path) => path.replace(/\/$/, ''));
    assert.ok(directories.length > 5, `${directories.length}`);
    for (const directory of directories) assert.ok(included.includes(`From \`${directory}/`), directory);
  });
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
