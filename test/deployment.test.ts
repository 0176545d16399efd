/** Holds the files of deploy/ to the code: settings, files, ports, times and health checks. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
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
const template = read('frontdesk@.service');
const readUnitEnvironment = (text: string) =>
  [...text.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]);
const [deployment, service] = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS());
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
/** Settings of /etc/frontdesk.env and of the secret. */
const SECRETS = [
  ['DATABASE_URL', 'postgres://frontdesk@127.0.0.1/frontdesk'],
  ['ADMIN_TOKEN', 'x'.repeat(32)],
  ['SECRET_KEY', 'x'.repeat(32)],
];
const podEnvironment = container.env.map(({ name, value }: { name: string; value: string }) => [name, value]);
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

/** Names of fields that Deployment (apps/v1) and Service (v1) have, and the label `app`. */
const KUBERNETES_FIELDS = [
  'apiVersion kind metadata name labels app spec replicas selector matchLabels strategy type rollingUpdate',
  'maxSurge maxUnavailable template automountServiceAccountToken terminationGracePeriodSeconds securityContext',
  'runAsNonRoot runAsUser seccompProfile containers image env envFrom secretRef value ports containerPort',
  'readinessProbe livenessProbe startupProbe httpGet path port periodSeconds failureThreshold resources requests',
  'limits cpu memory allowPrivilegeEscalation readOnlyRootFilesystem capabilities drop volumeMounts mountPath',
  'volumes emptyDir targetPort',
].flatMap((names) => names.split(' '));

describe('the files of deploy', () => {
  for (const [file, variables] of [
    ['frontdesk.service', readUnitEnvironment(unit)],
    ['frontdesk@.service', [...readUnitEnvironment(template), ...SECRETS]],
    ['kubernetes.yaml', [...podEnvironment, ...SECRETS]],
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

  test('the files of deploy are all named in docs/deployment.md', () => {
    const document = readFileSync(join(ROOT, 'docs/deployment.md'), 'utf8');
    const missing = globSync('deploy/*', { cwd: ROOT }).filter((path) => !document.includes(path));
    // What the image leaves out.
    assert.deepEqual(missing, ['deploy/Dockerfile.dockerignore']);
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
    assert.equal(commands.length, 3);
    const files = commands.flatMap(
      (command) => command.match(/\b(?:node_modules|src|deploy|bin)\/[\w./]+/g) ?? [],
    );
    assert.equal(files.length, 5);
    for (const file of files) assert.ok(existsSync(join(ROOT, file)), file);
  });

  test('npm start, the package and the units keep compiled code, and limit the memory of the process alike', () => {
    for (const path of ['package.json', 'bin/frontdesk', ...globSync('deploy/*.service', { cwd: ROOT })]) {
      const text = readFileSync(join(ROOT, path), 'utf8');
      assert.match(text, /\bNODE_COMPILE_CACHE=\S/, path);
      assert.match(text, /--max-semi-space-size=16 --expose-gc\b/, path);
    }
  });

  // Node keeps compiled code by the flags that it was compiled with.
  test('npm ci compiles the code for npm start', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const [, start] = /^(NODE_COMPILE_CACHE=.*)src\/main\.ts$/.exec(scripts.start.replace('exec ', ''))!;
    assert.ok(scripts.prepare.includes(`${start}src/cli.ts openapi`), scripts.prepare);
  });

  test('the files of deploy check the health of the service on public paths, at its port', () => {
    const healthCheck = /fetch\('http:\/\/127\.0\.0\.1:(\d+)([^']+)'\)/.exec(dockerfile)!;
    const proxy = /^\s*health_uri (\S+)$/m.exec(read('Caddyfile'))!;
    const probes = [container.readinessProbe, container.livenessProbe, container.startupProbe];
    const paths = [healthCheck[2]!, proxy[1]!, ...probes.map(({ httpGet }) => httpGet.path)];
    for (const path of paths) assert.ok(isHealthCheck(path), path);
    const ports = [
      healthCheck[1],
      String(container.ports[0].containerPort),
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
    const findStop = (text: string) => Number(/^TimeoutStopSec=(\d+)$/m.exec(text)![1]);
    const findDelay = (variables: string[][]) =>
      Number(variables.find(([name]) => name === 'SHUTDOWN_DELAY_SECONDS')![1]);
    assert.ok(findStop(unit) > STOP_SECONDS);
    assert.ok(findStop(template) > STOP_SECONDS + findDelay(readUnitEnvironment(template)));
    assert.ok(pod.terminationGracePeriodSeconds > STOP_SECONDS + findDelay(podEnvironment));
    const { stop_grace_period, environment } = compose.services.frontdesk;
    const delay = Number(environment.SHUTDOWN_DELAY_SECONDS);
    assert.ok(Number(/^(\d+)s$/.exec(stop_grace_period)![1]) > STOP_SECONDS + delay);
  });

  test('the unit of several processes is that of one, but for the backups and the lines that the document shows', () => {
    const list = (text: string) => text.split('\n').filter((line) => /^\w+=/.test(line));
    const [before, after] = template.split(/# #region process[\s\S]*?# #endregion/);
    const backups = /BACKUP_DIR|^(Description|EnvironmentFile|ReadWritePaths|TimeoutStopSec)=/;
    const others = (text: string) => list(text).filter((line) => !backups.test(line));
    assert.deepEqual(others(`${before}${after}`), others(unit));
  });

  test('the manifest of deploy has fields of the API of Kubernetes only', () => {
    const listFields = (value: unknown): string[] =>
      value instanceof Object
        ? Object.entries(value).flatMap(([name, each]) => [name, ...listFields(each)])
        : [];
    const fields = listFields([deployment, service]).filter((name) => !/^\d+$/.test(name));
    assert.ok(fields.length > 50);
    assert.deepEqual(
      fields.filter((name) => !KUBERNETES_FIELDS.includes(name)),
      [],
    );
  });

  test('the manifest of deploy selects its own pods, and names volumes and ports that exist', () => {
    const { labels } = deployment.spec.template.metadata;
    assert.deepEqual(deployment.spec.selector.matchLabels, labels);
    assert.deepEqual(service.spec.selector, labels);
    const names = (items: readonly { name: string }[]) => items.map(({ name }) => name);
    assert.deepEqual(names(container.volumeMounts), names(pod.volumes));
    const { readinessProbe, livenessProbe, startupProbe } = container;
    const ports = [readinessProbe, livenessProbe, startupProbe].map(({ httpGet }) => httpGet.port);
    for (const port of [...ports, service.spec.ports[0].targetPort])
      assert.deepEqual(names(container.ports), [port]);
    assert.equal(`${pod.securityContext.runAsUser}`, /--uid (\d+)/.exec(dockerfile)![1]);
  });
});
