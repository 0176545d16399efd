/** Holds the files of deploy/ to the code: settings, files, ports, times and health checks. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { readConfig } from '../src/config.ts';
import { routes } from './support/routes.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8');
const { settings } = readConfig({});
const names = settings.map(({ name }) => name);
const PORT = settings.find(({ name }) => name === 'PORT')!.value;
/** Variables of Node, not of the service. */
const OTHER_VARIABLES = ['NODE_COMPILE_CACHE'];
/** Seconds after which requests, then the database, are given up when the service stops. */
const STOP_SECONDS = 33;
/** Seconds after which the service closes idle connections. */
const IDLE_SECONDS = 75;
const isHealthCheck = (path: string) =>
  routes.some((route) => route.path === path && route.access === 'public');

const compose = parse(read('compose.yaml'));
const unit = read('frontdesk.service');
const unitEnvironment = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [
  name!,
  value!,
]);
const dockerfile = read('Dockerfile');
const dockerEnvironment = [.../^ENV (.*)$/m.exec(dockerfile)![1]!.matchAll(/(\w+)=(\S+)/g)].map(
  ([, name, value]) => [name!, value!],
);
/** Values that the operator sets. */
const composeEnvironment = Object.entries<string>(compose.services.frontdesk.environment).map(
  ([name, value]) => [
    name,
    value.replace(/\$\{(\w+):\?\}/g, (_, variable) =>
      variable === 'PUBLIC_URL' ? 'https://accounts.example.com' : 'x'.repeat(32),
    ),
  ],
);

describe('the files of deploy', () => {
  for (const [file, variables] of [
    ['frontdesk.service', unitEnvironment],
    ['Dockerfile', dockerEnvironment],
    ['compose.yaml', composeEnvironment],
  ] as const) {
    test(`the files of deploy set existing settings to valid values: ${file}`, () => {
      assert.notEqual(variables.length, 0);
      const own = variables.filter(([name]) => !OTHER_VARIABLES.includes(name!));
      assert.deepEqual(
        own.filter(([name]) => !names.includes(name!)),
        [],
      );
      readConfig(Object.fromEntries(own));
    });
  }

  test('the files of deploy are all included in docs/deployment.md', () => {
    const document = readFileSync(join(ROOT, 'docs/deployment.md'), 'utf8');
    const missing = globSync('deploy/*', { cwd: ROOT }).filter(
      (path) => !document.includes(`From \`${path}\`:`),
    );
    // What the image leaves out, and the values of a compose file, which git ignores.
    assert.deepEqual(
      missing.filter((path) => path !== 'deploy/.env'),
      ['deploy/Dockerfile.dockerignore'],
    );
  });

  test('the files of deploy keep secrets and data out of the image', () => {
    const ignored = read('Dockerfile.dockerignore').split('\n');
    for (const pattern of ['**/.env', 'data', '.git']) assert.ok(ignored.includes(pattern), pattern);
  });

  test('the files of deploy start programs that exist', () => {
    const commands = globSync('deploy/*.service', { cwd: ROOT }).flatMap((path) =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^ExecStart=(.*)$/gm)].map(
        ([, command]) => command!,
      ),
    );
    commands.push(...[.../^ENTRYPOINT (.*)$/m.exec(dockerfile)!].slice(1));
    assert.equal(commands.length, 2);
    const files = commands.flatMap(
      (command) => command.match(/\b(?:node_modules|src|deploy)\/[\w./]+/g) ?? [],
    );
    assert.equal(files.length, 4);
    for (const file of files) assert.ok(existsSync(join(ROOT, file)), file);
  });

  test('the files of deploy check the health of the service on public paths, at its port', () => {
    const container = /fetch\('http:\/\/127\.0\.0\.1:(\d+)([^']+)'\)/.exec(dockerfile)!;
    const proxy = /^\s*health_uri (\S+)$/m.exec(read('Caddyfile'))!;
    for (const path of [container[2]!, proxy[1]!]) assert.ok(isHealthCheck(path), path);
    const ports = [
      container[1],
      /^EXPOSE (\d+)$/m.exec(dockerfile)![1],
      /reverse_proxy 127\.0\.0\.1:(\d+)/.exec(read('Caddyfile'))![1],
      /server 127\.0\.0\.1:(\d+);/.exec(read('nginx.conf'))![1],
      ...compose.services.frontdesk.ports.flatMap((port: string) => port.split(':').slice(1)),
    ];
    assert.deepEqual([...new Set(ports)], [String(PORT)]);
  });

  test('the files of deploy close idle connections to the service before it does', () => {
    for (const [file, pattern] of [
      ['Caddyfile', /^\s*keepalive (\d+)s$/m],
      ['nginx.conf', /^\s*keepalive_timeout (\d+)s;$/m],
    ] as const)
      assert.ok(Number(pattern.exec(read(file))![1]) < IDLE_SECONDS, file);
  });

  test('the files of deploy give the service the time that it needs to stop', () => {
    assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1]) > STOP_SECONDS);
    const { stop_grace_period, environment } = compose.services.frontdesk;
    const delay = Number(environment.SHUTDOWN_DELAY_SECONDS);
    assert.ok(Number(/^(\d+)s$/.exec(stop_grace_period)![1]) > STOP_SECONDS + delay);
  });
});
