import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCredential } from '../../../../test/support/credentials.ts';
import { numberAllEvents } from '../../../../test/support/events.ts';
import { run } from '../../../../test/support/processes/commands.ts';
import {
  describeOnEachEngine,
  describeOnPostgres,
  describeOnSqlite,
} from '../../../../test/support/runner/engines.ts';
import {
  admin,
  newUserData,
  openService,
  startService,
  type TestService,
  toEnvironment,
  useService,
} from '../../../../test/support/service.ts';
import { until } from '../../../../test/support/until.ts';
import { sql } from '../../../database/database.ts';
import { toLogoText } from '../../../settings/rules.ts';
import { readLatestOfSubject } from '../../events/queries.ts';

const PATH = '/api/v1/admin/settings';
const DAY_SECONDS = 86_400;
/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

const get = async ({ api }: TestService) => {
  const { body, headers } = await api.get(PATH, admin);
  const settings = new Map<string, Record<string, unknown>>(
    body.data.settings.map((setting: { name: string }) => [setting.name, setting]),
  );
  return { settings, limits: body.data.limits, etag: headers.get('etag')! };
};
const patch = ({ api }: TestService, changes: object, etag = '*') =>
  api.patch(PATH, changes, { ...admin, headers: { 'if-match': etag } });
const login = async ({ api }: TestService, user: ReturnType<typeof newUserData>) =>
  (await api.post('/api/login', { email: user.email, password: user.password })).body;

describeOnSqlite('PATCH /api/v1/admin/settings', (engine) => {
  // Without those of the tests that would fix settings.
  const environment = { EVENTS_DAYS: '90', RATE_LIMITS: '', RATE_LIMIT_LOGIN: 'off' };
  const service = useService(engine, { environment });
  const latestChanges = async () => {
    await numberAllEvents(service.database);
    const [event] = await readLatestOfSubject(service.database, 'settings', 1);
    return JSON.parse(event!.data!).changes;
  };

  test('settings that could hide an attack need the scope admin, and nothing of a rejected change is stored', async () => {
    const { secret } = await createCredential(service, ['settings:write', 'settings:read']);
    const change = (changes: object) =>
      service.api.patch(PATH, changes, { token: secret, headers: { 'if-match': '*' } });
    assert.equal((await change({ INSTANCE_NAME: 'Desk' })).status, 200);
    const protectedSettings = {
      RATE_LIMITS: 'off',
      EVENTS_ADDRESS: 'none',
      RATE_LIMIT_LOGIN_FAIL: 'off',
      RATE_LIMIT_LOGIN_ACCOUNT: '9/60',
      RATE_LIMIT_ADMIN_FAIL: 'off',
    };
    for (const [name, value] of Object.entries(protectedSettings)) {
      const rejected = await change({ INSTANCE_NAME: 'Another', [name]: value });
      assert.deepEqual([rejected.status, rejected.body.code], [403, 'insufficient_scope'], name);
      assert.match(rejected.headers.get('www-authenticate')!, /scope="admin"/);
    }
    const { settings } = await get(service);
    assert.equal(settings.get('INSTANCE_NAME')!.value, 'Desk');
    const withOwners = [...settings.values()]
      .filter(({ scope }) => scope === 'admin')
      .map(({ name }) => name);
    const others = ['DEVICE_CODE', 'LOGIN', 'LOGIN_CODE'].map((name) => `RATE_LIMIT_${name}`);
    const fixed = ['EVENTS_DAYS', ...others];
    assert.deepEqual(withOwners.sort(), [...Object.keys(protectedSettings), ...fixed].sort());
    assert.equal((await change({ EVENTS_ADDRESS: null })).status, 200, 'unchanged');
    assert.equal((await patch(service, { INSTANCE_NAME: null, EVENTS_ADDRESS: 'none' })).status, 200);
    assert.equal((await patch(service, { EVENTS_ADDRESS: null })).status, 200);
  });

  test('a change of settings takes effect at once, and is recorded with its old and new values', async () => {
    const user = newUserData();
    await service.api.post('/api/register', user);
    const before = await get(service);
    const changes = { TOKEN_LIFETIME_DAYS: ' 7 ', REGISTRATION: 'closed', RATE_LIMIT_ANON: '5/60' };
    const changed = await patch(service, changes, before.etag);
    assert.equal(changed.status, 200);
    const { settings, limits, etag } = await get(service);
    assert.equal(changed.headers.get('etag'), etag);
    assert.notEqual(etag, before.etag);
    assert.partialDeepStrictEqual(settings.get('TOKEN_LIFETIME_DAYS'), {
      ...{ value: '7', default: '30', source: 'database', is_changeable: true },
    });
    assert.deepEqual(limits[0], { name: 'anon', quota: 5, window_seconds: 60 });
    assert.equal((await service.api.post('/api/register', newUserData())).status, 403);
    assert.equal((await login(service, user)).expires_in, 7 * DAY_SECONDS);
    const { headers } = await service.api.get('/api/v1/users');
    assert.match(headers.get('ratelimit-policy')!, /"anon";q=5;w=60/);
    assert.deepEqual(await latestChanges(), [
      { name: 'RATE_LIMIT_ANON', from: '120/60', to: '5/60' },
      { name: 'REGISTRATION', from: 'open', to: 'closed' },
      { name: 'TOKEN_LIFETIME_DAYS', from: '30', to: '7' },
    ]);

    const again = await patch(service, changes, etag);
    assert.equal(again.headers.get('etag'), etag, 'nothing has changed');
    await patch(service, { REGISTRATION: null, TOKEN_LIFETIME_DAYS: '', RATE_LIMIT_ANON: null });
    const reset = (await get(service)).settings;
    assert.partialDeepStrictEqual(reset.get('TOKEN_LIFETIME_DAYS'), { value: '30', source: 'default' });
    assert.equal((await service.api.post('/api/register', newUserData())).status, 201);
  });

  test('changes of other settings reach logins, records of anonymous callers, events and pages', async () => {
    const user = newUserData();
    await service.api.post('/api/register', user);
    const changes = {
      ...{ REQUIRE_VERIFIED_EMAIL: 'true', USERS_CREATE: 'admin', INSTANCE_NAME: 'Hopper <Labs>' },
      ...{ EVENTS_ADDRESS: 'none', RATE_LIMIT_LOGIN_FAIL: '2/60', APP_URL: 'https://App.example.com/' },
    };
    const readDocument = async () => (await fetch(`${service.service.url}/docs/forms`)).text();
    assert.match(await readDocument(), /<bdi>Frontdesk<\/bdi>/);
    assert.equal((await patch(service, changes)).status, 200);
    assert.match(await readDocument(), /<bdi>Hopper &lt;Labs&gt;<\/bdi>/);
    assert.equal((await login(service, user)).code, 'email_not_verified');
    assert.equal((await service.api.post('/api/v1/users', {})).status, 403);
    const page = await (await fetch(`${service.service.url}/console`)).text();
    assert.match(page, /<title>Hopper &lt;Labs&gt; console<\/title>/);
    const wrong = { ...newUserData(), password: 'wrong password' };
    const codes = [];
    for (let attempt = 0; attempt < 3; attempt++) codes.push((await login(service, wrong)).code);
    assert.deepEqual(codes, ['invalid_login', 'invalid_login', 'too_many_requests']);

    await patch(service, { USERS_CREATE: null, MAX_UNCLAIMED_USERS: '1' });
    const created = [];
    for (let record = 0; record < 2; record++)
      created.push((await service.api.post('/api/v1/users', {})).status);
    assert.deepEqual(created, [201, 503]);
    const all = Object.fromEntries(
      [...Object.keys(changes), 'MAX_UNCLAIMED_USERS'].map((name) => [name, null]),
    );
    assert.equal((await patch(service, all)).status, 200);
  });

  test('invalid, unknown and fixed settings are rejected by name, and nothing is changed', async () => {
    const { etag } = await get(service);
    const invalid = {
      TOKEN_LIFETIME_DAYS: '0',
      REGISTRATION: 'shut',
      RATE_LIMIT_ANON: 'many',
      APP_URL: 'javascript:alert(1)',
      INSTANCE_NAME: 'a\nb',
      INSTANCE_LOGO: `data:image/svg+xml;base64,${PIXEL.toString('base64')}`,
    };
    const rejected = await patch(service, { ...invalid, UNCLAIMED_USERS_DAYS: '3' });
    assert.deepEqual([rejected.status, rejected.body.code], [400, 'validation_failed']);
    assert.deepEqual(Object.keys(rejected.body.errors).sort(), Object.keys(invalid).sort());
    assert.match(rejected.body.errors.TOKEN_LIFETIME_DAYS[0], /^TOKEN_LIFETIME_DAYS must be a whole number/);
    for (const changes of [
      { PORT: '1' },
      { SECRET_KEY: null },
      { EVENTS_DAYZ: '1' },
      { EVENTS_ADDRESS: 1 },
    ]) {
      const { status, body } = await patch(service, changes);
      assert.deepEqual([status, Object.keys(body.errors)], [400, Object.keys(changes)]);
    }
    const fixed = await patch(service, { EVENTS_DAYS: '10', UNCLAIMED_USERS_DAYS: '3' });
    assert.deepEqual([fixed.status, fixed.body.code], [409, 'setting_fixed']);
    assert.deepEqual(Object.keys(fixed.body.errors), ['EVENTS_DAYS']);
    assert.equal((await get(service)).etag, etag);
  });

  test('a logo is served with its type, an ETag and a policy, and shown in words', async () => {
    const url = `${service.service.url}/logo`;
    assert.equal((await fetch(url)).status, 404);
    const large = Buffer.from(PIXEL);
    large.writeUInt32BE(2_000, 16);
    for (const wrong of [large, Buffer.concat([PIXEL, Buffer.alloc(65_536)]), Buffer.from('<svg/>')])
      assert.equal((await patch(service, { INSTANCE_LOGO: toLogoText(wrong) })).status, 400);
    assert.equal((await patch(service, { INSTANCE_LOGO: toLogoText(PIXEL) })).status, 200);
    const response = await fetch(url);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), PIXEL);
    assert.equal(response.headers.get('content-type'), 'image/png');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(response.headers.get('cache-control'), 'public, max-age=300');
    assert.match(response.headers.get('content-security-policy')!, /sandbox/);
    const etag = response.headers.get('etag')!;
    assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304);
    const { value } = (await get(service)).settings.get('INSTANCE_LOGO')!;
    assert.match(String(value), /^PNG, 1 × 1 pixels, \d+ bytes/);
    assert.deepEqual(await latestChanges(), [{ name: 'INSTANCE_LOGO', from: null, to: value }]);
    const page = await (await fetch(`${service.service.url}/console`)).text();
    assert.match(page, /data-logo="\/logo\?v=[0-9a-f]{16}"/);
  });
});

describeOnEachEngine('concurrent changes of settings', (engine) => {
  const service = useService(engine);

  test('one of several concurrent changes of one version is made, the others get 412', async () => {
    const { etag } = await get(service);
    const days = ['11', '12', '13', '14'];
    const statuses = await Promise.all(
      days.map(async (UNCLAIMED_USERS_DAYS) => (await patch(service, { UNCLAIMED_USERS_DAYS }, etag)).status),
    );
    assert.deepEqual(statuses.sort(), [200, 412, 412, 412]);
    assert.match(String((await get(service)).settings.get('UNCLAIMED_USERS_DAYS')!.value), /^1[1-4]$/);
  });
});

const CORRUPT = sql(`
  insert into run_time_settings (name, value) values ('TOKEN_LIFETIME_DAYS', 'never'), ('OF_ANOTHER_RELEASE', '1')
  on conflict (name) do update set value = excluded.value`);

describeOnSqlite('stored settings at a start', (engine) => {
  test('stored settings stay after a restart, and invalid ones are ignored and reported', async (context) => {
    const first = await startService(engine);
    context.after(() => first.testDatabase.remove());
    const { testDatabase } = first;
    await patch(first, { INSTANCE_NAME: 'Hopper Labs', TOKEN_LIFETIME_DAYS: '9', EVENTS_DAYS: '9' });
    await first.service.database.transaction((tx) => tx.run(CORRUPT));
    await first.service.stop();

    const second = await startService(engine, { testDatabase, environment: { EVENTS_DAYS: '5' } });
    context.after(() => second.service.stop());
    const { settings } = await get(second);
    assert.partialDeepStrictEqual(settings.get('INSTANCE_NAME'), {
      value: 'Hopper Labs',
      source: 'database',
    });
    assert.partialDeepStrictEqual(settings.get('TOKEN_LIFETIME_DAYS'), { value: '30', source: 'default' });
    assert.partialDeepStrictEqual(settings.get('EVENTS_DAYS'), { value: '5', source: 'environment' });
    const warned = second.log.filter(({ msg }) => msg === 'a stored setting is invalid and ignored');
    assert.deepEqual(warned.map(({ setting }) => setting).sort(), [
      'OF_ANOTHER_RELEASE',
      'TOKEN_LIFETIME_DAYS',
    ]);
    const { checks } = (await second.api.get('/api/v1/admin/checks', admin)).body.data;
    const text = JSON.stringify(checks);
    assert.match(text, /The value of TOKEN_LIFETIME_DAYS in the database is ignored/);
    const doctor = await run(['doctor'], toEnvironment(testDatabase));
    assert.match(doctor.stdout, /The value of TOKEN_LIFETIME_DAYS in the database is ignored/);
    await patch(second, { TOKEN_LIFETIME_DAYS: null });
    assert.ok(!JSON.stringify((await get(second)).settings.get('TOKEN_LIFETIME_DAYS')).includes('never'));
  });
});

describeOnPostgres('settings on two nodes', () => {
  test('settings that one node changes take effect on another', async (context) => {
    const one = await openService(context, 'postgres');
    const two = await openService(context, 'postgres', { testDatabase: one.testDatabase });
    const user = newUserData();
    await one.api.post('/api/register', user);
    await patch(one, { REGISTRATION: 'closed', TOKEN_LIFETIME_DAYS: '2' });
    await until(async () => (await login(two, user)).expires_in === 2 * DAY_SECONDS, 'the lifetime');
    assert.equal((await two.api.post('/api/register', newUserData())).status, 403);
  });
});
