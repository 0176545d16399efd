/** Rules about imports. */
import type { Rule } from './rule.ts';
import type { SourceFile } from './source-files.ts';

/** Each group of files imports only from itself and from groups before it. */
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
  'admin-credentials',
  'housekeeping',
  'secret-key-check',
  'migration-report',
  'start',
  'announcement',
  'main',
  'cli',
];

const FEATURES = [
  'mail',
  'links',
  'security-events',
  'users',
  'mail-content',
  'tokens',
  'activity',
  'accounts',
  'dashboard',
  'status',
  'configuration',
  'checks',
  'form-fields',
  'health',
  'web-assets',
  'documents',
  'account-pages',
  'console-sessions',
  'web-pages',
];

const groupOf = (path: string) => /^src\/([\w-]+)/.exec(path)?.[1] ?? path;
const featureOf = (path: string) => /^src\/features\/([\w-]+)\//.exec(path)?.[1];

const isInOrder = (order: readonly string[], from: string, to: string) =>
  order.includes(from) && order.includes(to) && order.indexOf(to) <= order.indexOf(from);

const importsOf = (sources: readonly SourceFile[]) =>
  sources.flatMap(({ path, imports }) =>
    imports.filter((name) => name.startsWith('src/')).map((imported) => ({ path, imported })),
  );

export const importRules: readonly Rule[] = [
  {
    title: `imports in one direction only: ${ORDER.join(' ← ')}`,
    violations: (sources) =>
      importsOf(sources)
        .filter(({ path, imported }) => !isInOrder(ORDER, groupOf(path), groupOf(imported)))
        .map(({ path, imported }) => `${path} → ${imported}`),
    broken: [
      { 'src/lib/text/text.ts': "import { sql } from '../database/database.ts';" },
      { 'src/http/route.ts': "import type { User } from '../features/users/queries.ts';" },
      { 'src/main.ts': "await import('./new-group/file.ts')" },
      { 'src/new-group/file.ts': "import { Problem } from '../problems.ts';" },
    ],
  },
  {
    title: `imports between features in one direction only: ${FEATURES.join(' ← ')}`,
    violations: (sources) =>
      importsOf(sources).flatMap(({ path, imported }) => {
        const [from, to] = [featureOf(path), featureOf(imported)];
        const isAllowed = from === undefined || to === undefined || isInOrder(FEATURES, from, to);
        return isAllowed ? [] : [`${path} → ${imported}`];
      }),
    broken: [
      { 'src/features/users/rules.ts': "import { insertToken } from '../tokens/queries.ts';" },
      { 'src/features/new/routes.ts': "import { findUser } from '../users/queries.ts';" },
    ],
  },
  {
    title: 'imports nothing from the tests',
    violations: (sources) =>
      sources
        .filter(({ imports }) => imports.some((name) => /^test\/|\.test\.ts$/.test(name)))
        .map(({ path }) => path),
    broken: [{ 'src/server.ts': "import { register } from '../test/support/users.ts';" }],
  },
  {
    title: 'imports config.ts only in main, cli, start and the logger',
    violations: (sources) =>
      sources
        .filter(({ imports }) => imports.includes('src/config.ts'))
        .filter(({ path }) => !['cli', 'logger', 'main', 'start'].includes(groupOf(path)))
        .map(({ path }) => path),
    broken: [{ 'src/server.ts': "import { readConfig } from './config.ts';" }],
  },
  {
    title: 'has no import cycle at run time',
    violations: cycles,
    broken: [
      {
        'src/lib/one.ts': "import { two } from './two.ts';",
        'src/lib/two.ts': "import { one } from './one.ts';",
      },
    ],
  },
  {
    // The import statement loads what the module exports lazily, a WebSocket client among it: 45 ms of each start.
    title: 'imports values of node:http only in src/plugins/connections/node-http.ts',
    violations: (sources) =>
      sources
        .filter(
          ({ path, values }) =>
            values.includes('node:http') && path !== 'src/plugins/connections/node-http.ts',
        )
        .map(({ path }) => path),
    broken: [
      { 'src/http/route.ts': "import { STATUS_CODES } from 'node:http';" },
      { 'src/http/request/body.ts': "const { STATUS_CODES } = require('node:http');" },
    ],
  },
];

function cycles(sources: readonly SourceFile[]): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string[] => {
    if (trail.includes(path)) return [[...trail.slice(trail.indexOf(path)), path].join(' → ')];
    if (done.has(path)) return [];
    const found = (byPath.get(path)?.values ?? []).flatMap((imported) => visit(imported, [...trail, path]));
    done.add(path);
    return found;
  };
  return sources.flatMap(({ path }) => visit(path, []));
}
