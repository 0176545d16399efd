/** Rules about imports. */
import type { Rule } from './rule.ts';
import type { SourceFile } from './source-files.ts';

/** Each group of files imports only from itself and from groups before it. */
const GROUPS = [
  'callers',
  'problems',
  'lib',
  'database',
  'idempotency',
  'rate-limits',
  'settings',
  'plugins',
  'features',
  'config',
  'server-deps',
  'server',
  'logger',
  'startup',
  'main',
  'cli',
];

const PLUGINS = [
  'cors',
  'default-headers',
  'compression',
  'request-log',
  'request-metrics',
  'bodies',
  'validation',
  'route-table',
  'problems',
  'connections',
  'request-context',
  'fastify-options',
  'load-shedding',
  'rate-limits',
  'access',
  'forwarding',
  'action-context',
  'idempotency',
  'stream-response',
  'unsupported-methods',
  'openapi',
];

const FEATURES = [
  'events',
  'users/records',
  'activity',
  'jobs',
  'texts',
  'mail',
  'people/second-factor',
  'people/tokens',
  'people/sign-in',
  'people/personal-data',
  'people/accounts',
  'people/passkeys',
  'people',
  'records',
  'groups',
  'webhooks',
  'credentials',
  'applications',
  'users',
  'forms',
  'backups',
  'operation',
  'identity-providers',
  'alerts',
  'pages',
  'oauth',
  'sign-in/pages',
  'branding',
  'console-sessions',
];

/** Modules of data and pure functions that pages may import. They import each other only. */
const SHARED_WITH_PAGES = [
  'src/callers/admin-scopes.ts',
  'src/features/applications/redirect-uris.ts',
  'src/features/events/event-types.ts',
  'src/features/events/types/event-text.ts',
  'src/features/events/types/sign-in-events.ts',
  'src/features/events/types/record-events.ts',
  'src/features/events/types/service-events.ts',
  'src/features/events/types/user-events.ts',
  'src/features/pages/documents/search-index.ts',
  'src/lib/outbound/redirect-policy.ts',
  'src/lib/text/time-zones.ts',
  'src/settings/brand-color.ts',
];

/** Files of features that know HTTP: routes, what they document and send, and pages. The others are use cases. */
const ADAPTER =
  /(?:^|\/|-)(?:routes?|schemas|responses|examples?|pages|cookie|hook)\.ts$|^src\/features\/pages\//;

/** The module that issues tokens, and that which exchanges codes: those come from a sign-in session. */
const GATED = ['src/features/people/tokens/issue-token.ts', 'src/features/oauth/issue-grant.ts'];

const getGroup = (path: string) => /^src\/([\w-]+)/.exec(path)?.[1] ?? path;

/** Returns the folder or file in a group, or the part of the folder that has a place of its own in the order. */
function getFolder(path: string, group: string, order: readonly string[]): string | undefined {
  const [, folder, part] = new RegExp(`^src/${group}/([\\w-]+)(?:/(?:([\\w-]+)/)?|\\.ts$)`).exec(path) ?? [];
  const nested = `${folder}/${part}`;
  return order.includes(nested) ? nested : folder;
}

const isInOrder = (order: readonly string[], from: string, to: string) =>
  order.includes(from) && order.includes(to) && order.indexOf(to) <= order.indexOf(from);

const listImports = (sources: readonly SourceFile[], pattern = /^src\//) =>
  sources.flatMap(({ path, imports }) =>
    imports.filter((name) => pattern.test(name)).map((imported) => ({ path, imported })),
  );

/** Returns the rule that the folders of a group import from those before them only. */
function folderRule(group: string, order: readonly string[], broken: Rule['broken']): Rule {
  return {
    title: `imports between ${group} in one direction only: ${order.join(' ← ')}`,
    violations: (sources) =>
      listImports(sources).flatMap(({ path, imported }) => {
        const [from, to] = [path, imported].map((file) => getFolder(file, group, order));
        const isAllowed = from === undefined || to === undefined || isInOrder(order, from, to);
        return isAllowed ? [] : [`${path} → ${imported}`];
      }),
    broken,
  };
}

export const importRules: readonly Rule[] = [
  {
    title: `imports in one direction only: ${GROUPS.join(' ← ')}`,
    violations: (sources) =>
      listImports(sources)
        .filter(({ path, imported }) => !isInOrder(GROUPS, getGroup(path), getGroup(imported)))
        .map(({ path, imported }) => `${path} → ${imported}`),
    broken: [
      { 'src/lib/text/text.ts': "import { sql } from '../../database/database.ts';" },
      { 'src/plugins/cors.ts': "import type { User } from '../features/users/records/queries.ts';" },
      { 'src/main.ts': "await import('./new-group/file.ts')" },
      { 'src/new-group/file.ts': "import { Problem } from '../problems/problem.ts';" },
    ],
  },
  folderRule('features', FEATURES, [
    { 'src/features/users/records/rules.ts': "import { insertToken } from '../../tokens/queries.ts';" },
    { 'src/features/new/routes.ts': "import { findUser } from '../users/records/queries.ts';" },
  ]),
  folderRule('plugins', PLUGINS, [
    { 'src/plugins/cors.ts': "import type { Limiter } from './rate-limits/limiter.ts';" },
  ]),
  {
    title: 'imports Fastify and plugins not in use cases, rules and queries of features',
    violations: (sources) =>
      listImports(sources, /^(?:src\/plugins\/|fastify|@fastify\/)/)
        .filter(({ path }) => path.startsWith('src/features/') && !ADAPTER.test(path))
        .map(({ path, imported }) => `${path} → ${imported}`),
    broken: [
      { 'src/features/people/tokens/rotate-token.ts': "import type { FastifyReply } from 'fastify';" },
      { 'src/features/users/records/rules.ts': "import { cors } from '../../../plugins/cors.ts';" },
    ],
  },
  {
    title: 'issues tokens of logins, and starts sign-in sessions, only in modules that import the gate',
    violations: (sources) =>
      sources
        .filter(
          ({ code, path }) => /\bissueToken\(tx|signInSessions\.start\(/.test(code) && !GATED.includes(path),
        )
        .filter(({ imports }) => !imports.includes('src/features/people/sign-in/gate.ts'))
        .map(({ path }) => path),
    broken: [
      { 'src/features/oauth/sign-in.ts': 'await signInSessions.start(tx, admitted, headers);' },
      { 'src/features/people/sign-in/log-in.ts': 'return issueToken(tx, { userId, now });' },
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
    title: 'imports config.ts only in main, cli, startup and the logger',
    violations: (sources) =>
      sources
        .filter(({ imports }) => imports.includes('src/config.ts'))
        .filter(({ path }) => !['cli', 'logger', 'main', 'startup'].includes(getGroup(path)))
        .map(({ path }) => path),
    broken: [{ 'src/server.ts': "import { readConfig } from './config.ts';" }],
  },
  {
    title: 'has no import cycle, not even of types',
    violations: findCycles,
    broken: [
      {
        'src/lib/one.ts': "import type { Two } from './two.ts';",
        'src/lib/two.ts': "import { one } from './one.ts';",
      },
    ],
  },
  {
    // The import statement loads what the module exports lazily, a WebSocket client among it: 45 ms of each start.
    title: 'imports values of node:http only in src/lib/node-http.ts',
    violations: (sources) =>
      sources
        .filter(({ path, values }) => values.includes('node:http') && path !== 'src/lib/node-http.ts')
        .map(({ path }) => path),
    broken: [
      { 'src/server.ts': "import { STATUS_CODES } from 'node:http';" },
      { 'src/plugins/cors.ts': "const { STATUS_CODES } = require('node:http');" },
    ],
  },
];

/** The rule of the code of web. */
export const pagesRule: Rule = {
  title: 'imports only modules of data from src, which import nothing else',
  violations: (sources) =>
    sources
      .filter(({ path }) => path.startsWith('web/') || SHARED_WITH_PAGES.includes(path))
      .flatMap(({ path, imports }) => {
        const allowed = (name: string) =>
          SHARED_WITH_PAGES.includes(name) || (path.startsWith('web/') && !name.startsWith('src/'));
        return imports.filter((name) => !allowed(name)).map((name) => `${path} → ${name}`);
      }),
  broken: [
    { 'web/console/app.tsx': "import { readConfig } from '../../src/config.ts';" },
    { 'src/features/events/event-types.ts': "import { createHash } from 'node:crypto';" },
  ],
};

/** Returns each cycle of imports as `a.ts → b.ts → a.ts`. */
export function findCycles(sources: readonly SourceFile[]): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string[] => {
    if (trail.includes(path)) return [[...trail.slice(trail.indexOf(path)), path].join(' → ')];
    if (done.has(path)) return [];
    const found = (byPath.get(path)?.imports ?? []).flatMap((imported) => visit(imported, [...trail, path]));
    done.add(path);
    return found;
  };
  return sources.flatMap(({ path }) => visit(path, []));
}
