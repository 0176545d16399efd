import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { parseExposition } from '../../../test/support/exposition.ts';
import { routes } from '../../../test/support/routes.ts';
import { describeOnEachEngine, describeOnSqlite } from '../../../test/support/runner/engines.ts';
import {
  ADMIN_TOKEN,
  admin,
  newUserData,
  openService,
  startService,
  type TestService,
  useService,
} from '../../../test/support/service.ts';
import { mailEnvironment, startSmtpServer } from '../../../test/support/smtp-server.ts';
import { until } from '../../../test/support/until.ts';
import { startIssuer } from '../../../test/support/upstream/issuer.ts';
import { addProvider, createBrowser, LOOPBACK_ALLOWED } from '../../../test/support/upstream/sign-in.ts';
import { register } from '../../../test/support/users.ts';
import { ConfigError, readConfig } from '../../config.ts';
import { recordBackup } from '../../features/backups/status/backup-events.ts';
import { createMetrics } from './metrics.ts';

const ON = { METRICS_PORT: '0' };
const MAX_SERIES = 550;

function getUrl({ log }: TestService): string {
  return String(log.find(({ msg }) => msg === 'metrics are served')!.url);
}

async function scrape(service: TestService) {
  const response = await fetch(getUrl(service));
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  const families = parseExposition(text);
  const samples = [...families.values()].flatMap(({ samples }) => samples);
  const get = (name: string, labels: Record<string, string> = {}) =>
    samples.find(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )?.value;
  return { text, families, samples, get };
}

describeOnEachEngine('metrics', (engine) => {
  const service = useService(engine, {
    environment: { ...ON, RATE_LIMITS: 'on', RATE_LIMIT_LOGIN: '4/3600' },
  });

  test('metrics count responses by route, sign-ins by outcome and rejections of rate limits', async () => {
    const { api } = service;
    const user = newUserData();
    const token = (await api.post('/api/register', user)).body.access_token;
    await api.get('/api/v1/me', { token });
    await api.get(`/api/v1/users/${user.email}`, admin);
    await api.post('/api/login', user);
    const wrong = { ...user, password: 'a wrong password' };
    const isLimited = async () => (await api.post('/api/login', wrong)).status === 429;
    await until(isLimited, 'the limit is used up');
    const { get, families } = await scrape(service);
    const requests = 'frontdesk_http_requests_total';
    assert.equal(get(requests, { method: 'GET', route: '/api/v1/me', status: '2xx' }), 1);
    assert.equal(get(requests, { method: 'GET', route: '/api/v1/users/{id}', status: '4xx' }), 1);
    assert.equal(get('frontdesk_sign_ins_total', { method: 'password', outcome: 'succeeded' }), 1);
    assert.ok(get('frontdesk_sign_ins_total', { outcome: 'invalid_login' })! >= 1);
    assert.equal(get('frontdesk_rate_limit_rejections_total', {}), 1);
    assert.ok(get('frontdesk_http_request_duration_seconds_bucket', { le: '+Inf', status: '2xx' })! >= 3);
    assert.equal(get('frontdesk_jobs', { queue: 'mail' }) !== undefined, true);
    assert.equal(get('frontdesk_backup_age_seconds', { state: 'verified' }), undefined);
    assert.equal(
      get('frontdesk_database_connections', { state: 'open' }) !== undefined,
      engine === 'postgres',
    );
    for (const name of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_seconds', 'frontdesk_build_info'])
      assert.ok(families.has(name), name);
  });
});

describeOnSqlite('metrics of a node', (engine) => {
  const service = useService(engine, { environment: ON });

  test('metrics of known kinds exist from the start, because a series that begins with its first value has no rate', async () => {
    const { get } = await scrape(service);
    for (const kind of ['unavailable', 'permission', 'other'])
      assert.equal(get('frontdesk_database_errors_total', { kind }), 0, kind);
    for (const queue of ['mail', 'webhook'])
      for (const outcome of ['succeeded', 'failed', 'rejected'])
        assert.equal(get('frontdesk_job_attempts_total', { queue, outcome }), 0, outcome);
    for (const status of ['2xx', '3xx', '4xx', '5xx'])
      assert.equal(get('frontdesk_http_request_duration_seconds_count', { status }), 0, status);
  });

  test('metrics have the ages of the last backup and of the last verified one', async () => {
    const now = Date.now();
    await service.database.transaction(async (tx) => {
      const report = { kind: 'created', durationMs: 1, rows: 1, bytes: 1 } as const;
      await recordBackup(tx, report, { file: 'b', now: now - 60_000 });
      await recordBackup(tx, { kind: 'verified', durationMs: 1 }, { file: 'a', now: now - 3_600_000 });
    });
    const { get } = await scrape(service);
    for (const [state, seconds] of [
      ['created', 60],
      ['verified', 3_600],
    ] as const) {
      const age = get('frontdesk_backup_age_seconds', { state })!;
      assert.ok(age >= seconds && age < seconds + 60, `${state} ${age}`);
    }
  });

  test('metrics count sign-ins on pages and with providers when they end, and no questions', async (context) => {
    const own = await openService(context, engine, { environment: { ...ON, ...LOOPBACK_ALLOWED } });
    const issuer = await startIssuer();
    context.after(() => issuer.close());
    const { id } = await addProvider(own, issuer);
    const user = await register(own);
    const signIn = (password: string) =>
      createBrowser(own).submit('/sign-in', { email: user.email, current_password: password });
    await signIn(user.password);
    await signIn('a wrong password');
    const person = { sub: 'ada', email: newUserData().email, email_verified: true };
    await createBrowser(own).signIn(issuer, id, person);
    const questioned = createBrowser(own);
    await questioned.signIn(issuer, id, { ...person, sub: 'questioned', email: user.email });
    await questioned.submit('/sign-in/identity/not-mine');
    await own.api.get(`/sign-in/callback/${id}?code=a&state=b`);
    const challenged = { challenge: 'unknown', code: '123456' };
    await own.api.post('/api/v1/login/second-factor', challenged);
    const { samples } = await scrape(own);
    const counted = samples
      .filter(({ name }) => name === 'frontdesk_sign_ins_total')
      .map(({ labels, value }) => `${labels.method} ${labels.outcome} ${value}`);
    assert.deepEqual(counted.sort(), [
      'password invalid_login 1',
      'password succeeded 1',
      'provider sign_in_failed 1',
      'provider succeeded 2',
      'second_factor challenge_expired 1',
    ]);
  });

  test('metrics have names and units by the conventions of Prometheus', async () => {
    for (const [name, { type, help }] of (await scrape(service)).families) {
      if (!name.startsWith('frontdesk_')) continue;
      assert.equal(name.endsWith('_total'), type === 'counter', name);
      assert.ok(help.endsWith('.') && !/_(ms|millis|minutes|kb)\b/.test(name), name);
    }
  });

  test('metrics contain nothing personal and have less than 500 series after hostile requests', async () => {
    const { api } = service;
    const send = (path: string, method = 'GET', headers = {}) =>
      fetch(api.url + path, { method, headers }).then((response) => response.arrayBuffer());
    const methods = ['DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD', 'REPORT', 'PURGE', 'LOCK'];
    const paths = [...new Set(routes.map(({ path }) => path.replaceAll(/[:{*]\w*\}?/g, 'canary')))];
    for (const [index, path] of paths.entries())
      await Promise.all([
        send(`${path}canary?canary=1`),
        index % 2 === 0
          ? send(path, 'POST', { authorization: 'Bearer canary' })
          : send(path, methods[(index >> 1) % methods.length]),
      ]);
    const { text, samples, get } = await scrape(service);
    assert.ok(samples.length <= MAX_SERIES, `${samples.length}`);
    assert.ok(!/canary|@|127\.0\.0/.test(text));
    assert.ok(get('frontdesk_http_requests_total', { route: 'other', status: '4xx' })! > 100);
  });

  test('metrics count attempts of mail and open streams', async (context) => {
    const smtp = await startSmtpServer();
    context.after(() => smtp.close());
    const own = await openService(context, engine, { environment: { ...ON, ...mailEnvironment(smtp) } });
    const { api } = own;
    const user = newUserData();
    await api.post('/api/register', user);
    await api.post('/api/v1/password-resets', { email: user.email });
    const count = async (name: string, labels?: Record<string, string>) =>
      (await scrape(own)).get(name, labels);
    const sent = { queue: 'mail', outcome: 'succeeded' };
    await until(async () => (await count('frontdesk_job_attempts_total', sent))! >= 1, 'mail is counted');
    const controller = new AbortController();
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    await fetch(`${api.url}/api/v1/events/stream`, { headers, signal: controller.signal });
    assert.equal(await count('frontdesk_event_streams'), 1);
    controller.abort();
    await until(async () => (await count('frontdesk_event_streams')) === 0, 'the stream has ended');
  });

  test('metrics are off by default, and their library is not loaded', async (context) => {
    const own = await openService(context, engine);
    assert.ok(!own.log.some(({ msg }) => msg === 'metrics are served'));
    assert.equal(readConfig({}).metrics, null);
  });

  test('metrics name METRICS_PORT when their port cannot be listened on', async () => {
    const METRICS_PORT = new URL(getUrl(service)).port;
    await assert.rejects(
      startService(engine, { environment: { METRICS_PORT } }),
      (error) => error instanceof ConfigError && /^METRICS_PORT .*EADDRINUSE/.test(error.message),
    );
  });

  test('the dashboard and the alerts of deploy use metrics that the service has', async () => {
    const { families } = await scrape(service);
    const dashboard = JSON.parse(readFileSync('deploy/grafana-dashboard.json', 'utf8'));
    const { groups } = parse(readFileSync('deploy/prometheus-alerts.yaml', 'utf8'));
    const expressions: string[] = [
      ...dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
        targets.map(({ expr }) => expr),
      ),
      ...groups.flatMap(({ rules }: { rules: { expr: string }[] }) => rules.map(({ expr }) => expr)),
    ];
    assert.ok(expressions.length > 12);
    const names = expressions.flatMap((each) => each.match(/\b(?:frontdesk|nodejs|process)_\w+/g) ?? []);
    for (const name of new Set(names))
      assert.ok(families.has(name) || families.has(name.replace(/_(bucket|sum|count)$/, '')), name);
    const used = new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, '')));
    const unused = [...families.keys()].filter((name) => name.startsWith('frontdesk_') && !used.has(name));
    assert.deepEqual(unused, []);
  });
});

test('metrics have at most 550 series after 87,000 responses on every route and on unknown ones', async () => {
  const { registry, observer } = createMetrics();
  const respond = (method: string, route: string | null, status: number) =>
    observer.observeRoute(method, route)(
      { status, isSignedIn: false, problem: status === 429 ? 'rate_limited_login' : null },
      0.1,
    );
  for (let round = 0; round < 87_000 / routes.length / 4; round++)
    for (const { method, path } of routes)
      for (const status of [200, 429, 500]) respond(method, path, status);
  for (let round = 0; round < 30_000; round++) respond(`METHOD${round}`, null, 404);
  const families = parseExposition(await registry.metrics());
  const total = [...families.values()].reduce((sum, { samples }) => sum + samples.length, 0);
  assert.ok(total <= MAX_SERIES, `${total}`);
});
