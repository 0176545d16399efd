/** People with a role, in the console and as administrators of each other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Administrator,
  changeRole,
  createAdministrator,
  signInAs,
} from '../../../test/support/administrators.ts';
import type { ApiRequest } from '../../../test/support/api.ts';
import { signIn as startSession } from '../../../test/support/applications.ts';
import { fromConsole, SESSION_PATH, signIn } from '../../../test/support/browser/console-session.ts';
import { createCredential } from '../../../test/support/credentials.ts';
import { numberAllEvents } from '../../../test/support/events.ts';
import { limited, manualClock } from '../../../test/support/limits.ts';
import { pluck } from '../../../test/support/pluck.ts';
import { waitingKinds } from '../../../test/support/processes/recovery.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, newUserData, openService, useService } from '../../../test/support/service.ts';
import { codeAt, STEP_MS } from '../../../test/support/totp.ts';
import { createBrowser } from '../../../test/support/upstream/sign-in.ts';
import { enrolUser } from '../../../test/support/user-totp.ts';

const DASHBOARD = '/api/v1/admin/dashboard';
const token = ADMIN_TOKEN;
const off = ['LOGIN', 'ANON', 'DOCUMENTS', 'CREATE', 'CREATE_HOUR', 'CREATE_DAY'];
const environment = Object.fromEntries(off.map((name) => [`RATE_LIMIT_${name}`, 'off']));

describeOnEachEngine('people with a role', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, limited(environment, { clock }));
  const send = (method: string, path: string, request: ApiRequest = {}) =>
    service.api.request(method, path, { token, ...request });
  const take = async (person: Pick<Administrator, 'path'>) =>
    assert.equal((await changeRole(send, person, null)).status, 200);

  test('a person with a role uses the console with the sign-in session, and has the scopes of the role', async () => {
    const expected = [
      ['owner', [200, 200, 200]],
      ['support', [200, 403, 403]],
      ['auditor', [200, 200, 403]],
    ] as const;
    for (const [role, statuses] of expected) {
      const person = await signInAs(service, role);
      const { body } = await person.send('GET', SESSION_PATH);
      const { id, name } = person;
      assert.deepEqual([body.data.credential.id, body.data.credential.name], [id, name]);
      assert.deepEqual([body.data.credential.role, body.data.idle_seconds], [role, 12 * 3600]);
      const sent = [DASHBOARD, '/api/v1/events', '/api/v1/credentials'].map((path) =>
        person.send('GET', path),
      );
      assert.deepEqual(pluck(await Promise.all(sent), 'status'), statuses, role);
      await take(person);
    }
  });

  test('the last owner keeps the role, but for ADMIN_TOKEN', async () => {
    const owner = await signInAs(service, 'owner');
    const auditor = await createAdministrator(service, 'auditor');
    const { secret } = await createCredential(service, ['admin']);
    const program = (method: string, path: string, request: ApiRequest = {}) =>
      service.api.request(method, path, { token: secret, ...request });
    const login = await service.api.post('/api/login', { email: owner.email, password: owner.password });
    const attempts = [
      changeRole(owner.send, owner, null),
      changeRole(program, owner, 'auditor'),
      program('PATCH', owner.path, { body: { state: 'disabled' }, headers: { 'if-match': '*' } }),
      program('DELETE', owner.path),
      service.api.request('DELETE', '/api/v1/me', {
        token: login.body.access_token,
        body: { current_password: owner.password },
      }),
    ];
    for (const { status, body } of await Promise.all(attempts))
      assert.deepEqual([status, body.code], [409, 'last_owner']);
    const second = await createAdministrator(service, 'owner');
    assert.equal((await changeRole(owner.send, owner, null)).status, 200);
    await take(second);
    await take(auditor);
  });

  test('of two owners who take the role from each other at the same time, one stays', async () => {
    for (let round = 0; round < 3; round++) {
      const [one, two] = [await signInAs(service, 'owner'), await signInAs(service, 'owner')];
      const results = await Promise.all([changeRole(one.send, two, null), changeRole(two.send, one, null)]);
      assert.equal(results.filter(({ status }) => status === 200).length, 1);
      await Promise.all([take(one), take(two)]);
    }
  });

  test('an owner whose role is taken at the same time changes nobody with a role afterwards', async () => {
    for (let round = 0; round < 3; round++) {
      const [one, two] = [await signInAs(service, 'owner'), await signInAs(service, 'owner')];
      const password = 'paper lantern bridge';
      const [set, taken] = await Promise.all([
        two.send('PUT', `${one.path}/password`, { body: { password } }),
        changeRole(one.send, two, null),
      ]);
      const late = await two.send('PUT', `${one.path}/password`, { body: { password } });
      assert.ok([200, 401, 403].includes(set.status), set.text);
      // Unless the new password has ended the session of the first one before.
      assert.equal(late.status, taken.status === 401 ? 200 : 403);
      await Promise.all([take(one), take(two)]);
    }
  });

  test('users are filtered by role', async () => {
    const auditor = await createAdministrator(service, 'auditor');
    await createAdministrator(service, null);
    const { body } = await service.api.get('/api/v1/users?role=auditor&limit=100', { token });
    const found = body.data as { readonly id: string; readonly role: string }[];
    assert.ok(found.some(({ id }) => id === auditor.id));
    assert.ok(found.every(({ role }) => role === 'auditor'));
    const count = await service.api.get('/api/v1/users/count?role=auditor', { token });
    assert.equal(count.body.data.count, found.length);
    const sorted = await service.api.get(`/api/v1/users?role=auditor&sort=name&search=${auditor.email}`, {
      token,
    });
    assert.equal(sorted.body.data.length, 1);
    await take(auditor);
  });

  if (engine === 'postgres') return;

  test('a person without a role is told so by the console, and the API treats the token of an owner as that of a user', async () => {
    const nobody = await signInAs(service, null);
    const { status, body } = await nobody.send('GET', SESSION_PATH);
    assert.deepEqual([status, body.code], [403, 'role_required']);
    const owner = await createAdministrator(service, 'owner');
    const login = await service.api.post('/api/login', { email: owner.email, password: owner.password });
    const own = { token: login.body.access_token as string };
    assert.equal((await service.api.get(DASHBOARD, own)).status, 401);
    assert.deepEqual((await service.api.get('/api/v1/me', own)).body.data.role, 'owner');
    await take(owner);
  });

  test('the cookie of a person alone makes no request one of the console', async () => {
    const { cookie, send: sendFromConsole, ...owner } = await signInAs(service, 'owner');
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    assert.equal((await service.api.get(DASHBOARD, { headers })).status, 401);
    const list = await service.api.get('/api/v1/users', { headers });
    assert.deepEqual(list.body, { message: 'Users list' });
    const crossSite = fromConsole(cookie, { headers: { 'sec-fetch-site': 'same-site' } });
    assert.equal((await service.api.get(DASHBOARD, crossSite)).status, 403);
    assert.equal((await sendFromConsole('GET', DASHBOARD)).status, 200);
    await take(owner);
  });

  test('a role that is taken away, a disabled account and a sign-out end the console at the next request', async () => {
    const [one, two, three] = [
      await signInAs(service, 'auditor'),
      await signInAs(service, 'auditor'),
      await signInAs(service, 'auditor'),
    ];
    await take(one);
    await send('PATCH', two.path, { body: { state: 'disabled' }, headers: { 'if-match': '*' } });
    const ended = await three.send('DELETE', SESSION_PATH);
    assert.equal(ended.status, 204);
    const statuses = [one, two, three].map(async (person) => (await person.send('GET', DASHBOARD)).status);
    assert.deepEqual(await Promise.all(statuses), [403, 401, 401]);
  });

  test('only owners give roles and change people who have one; users:write does not suffice', async () => {
    const support = await signInAs(service, 'support');
    const { secret } = await createCredential(service, ['users:write', 'tokens:write']);
    const owner = await signInAs(service, 'owner');
    const login = await service.api.post('/api/login', { email: owner.email, password: owner.password });
    const ids = async (part: string) => (await send('GET', `${owner.path}/${part}`)).body.data[0].id;
    const [session, ownToken] = [await ids('sessions'), await ids('tokens')];
    const user = await createAdministrator(service, null);
    const program = (method: string, path: string, request: ApiRequest = {}) =>
      service.api.request(method, path, { token: secret, ...request });
    const { name, email } = newUserData();
    for (const sendAs of [support.send, program]) {
      const attempts = [
        changeRole(sendAs, user, 'owner'),
        changeRole(sendAs, owner, null),
        sendAs('POST', '/api/v1/users', { body: { name, email, role: 'auditor' } }),
        sendAs('PUT', `${owner.path}/password`, { body: { password: 'paper lantern bridge' } }),
        sendAs('PATCH', owner.path, { body: { email }, headers: { 'if-match': '*' } }),
        sendAs('DELETE', `${owner.path}/totp`),
        sendAs('DELETE', owner.path),
        sendAs('DELETE', `${owner.path}/sessions/${session}`),
        sendAs('DELETE', `${owner.path}/tokens/${ownToken}`),
        sendAs('DELETE', `${owner.path}/tokens`),
      ];
      for (const { status, body } of await Promise.all(attempts))
        assert.deepEqual([status, body.code], [403, 'insufficient_scope']);
      const operations = ['erase', 'revoke'].map((action) => ({ action, id: owner.id }));
      const batch = await sendAs('POST', '/api/v1/users/batch', { body: { operations } });
      for (const { code } of batch.body.data) assert.equal(code, 'insufficient_scope');
      assert.equal((await changeRole(sendAs, user, null)).status, 200);
      assert.equal((await sendAs('DELETE', `${user.path}/tokens`)).status, 204);
    }
    assert.equal((await service.api.get('/api/v1/me', { token: login.body.access_token })).status, 200);
    assert.equal((await owner.send('GET', DASHBOARD)).status, 200);
    const other = await signInAs(service, 'owner');
    assert.equal((await other.send('DELETE', `${owner.path}/sessions/${session}`)).status, 204);
    assert.equal((await owner.send('GET', DASHBOARD)).status, 401);
    await take(other);
    await take(owner);
    await take(support);
  });

  test('an owner gives a role by PATCH and by an invitation, and events say so with the name of the owner', async () => {
    const owner = await signInAs(service, 'owner');
    const user = await createAdministrator(service, null);
    const given = await changeRole(owner.send, user, 'support');
    assert.deepEqual([given.status, given.body.data.role], [200, 'support']);
    const { name, email } = newUserData();
    const invited = await owner.send('POST', '/api/v1/users', { body: { name, email, role: 'auditor' } });
    assert.deepEqual([invited.body.data.state, invited.body.data.role], ['unclaimed', 'auditor']);
    assert.deepEqual(await waitingKinds(service, email), ['claim_account']);
    await numberAllEvents(service.database);
    const path = `/api/v1/events?actor=administrator:${owner.id}`;
    const list = await owner.send('GET', path);
    const actor = { type: 'administrator', id: owner.id, name: owner.name, kind: 'person' };
    assert.deepEqual(
      list.body.data.map((event: { type: string; actor: object; changes: object[] }) => [
        event.type,
        event.actor,
        event.changes,
      ]),
      [
        ['user.created', actor, [{ name: 'role', from: null, to: 'auditor' }]],
        ['user.updated', actor, [{ name: 'role', from: null, to: 'support' }]],
      ],
    );
    const devices = ({ body }: typeof list) =>
      body.data.map(({ address, device }: { address: unknown; device: unknown }) => [address, device]);
    assert.ok(devices(list).flat().every(Boolean));
    assert.equal((await send('DELETE', owner.path)).status, 204);
    await numberAllEvents(service.database);
    assert.deepEqual(devices(await service.api.get(path, { token })), [
      [null, null],
      [null, null],
    ]);
    const after = (await service.api.get(path, { token })).body.data;
    assert.deepEqual(
      after.map((event: { actor: object }) => event.actor),
      [
        { ...actor, name: null },
        { ...actor, name: null },
      ],
    );
    await take(user);
  });

  test('records of anonymous callers, which are deleted after a while, get no role', async () => {
    const { body } = await service.api.post('/api/v1/users', { name: 'Ada', email: newUserData().email });
    const { status, body: rejected } = await changeRole(
      send,
      { path: `/api/v1/users/${body.data.id}` },
      'owner',
    );
    assert.deepEqual([status, rejected.code], [409, 'user_state_conflict']);
  });

  test('the session of ADMIN_TOKEN says whether there is an owner, and goes before that of a person', async () => {
    const cookie = await signIn(service);
    const first = await service.api.get(SESSION_PATH, fromConsole(cookie));
    assert.equal(first.body.data.has_owner, false);
    const auditor = await signInAs(service, 'auditor');
    const owner = await createAdministrator(service, 'owner');
    const both = await service.api.get(SESSION_PATH, fromConsole(`${auditor.cookie}; ${cookie}`));
    assert.deepEqual([both.body.data.credential.name, both.body.data.has_owner], ['ADMIN_TOKEN', true]);
    await take(owner);
    await take(auditor);
  });

  test('ADMIN_SECOND_FACTOR=required admits people to the console after a sign-in with a code, or a passkey that has verified them, only', async (t) => {
    const required = { ...environment, ADMIN_SECOND_FACTOR: 'required' };
    const strict = await openService(t, engine, limited(required, { clock }));
    const owner = await signInAs(strict, 'owner');
    const { status, body } = await owner.send('GET', SESSION_PATH);
    assert.deepEqual([status, body.code], [403, 'role_second_factor_required']);
    const login = await strict.api.post('/api/login', { email: owner.email, password: owner.password });
    const person = { ...owner, token: login.body.access_token as string };
    const { appSecret } = await enrolUser(strict, person, clock.now);
    assert.equal((await owner.send('GET', SESSION_PATH)).status, 403);
    clock.now += 2 * STEP_MS;
    const browser = createBrowser(strict);
    const fields = { email: owner.email, current_password: owner.password };
    const first = await browser.submit('/sign-in?return_to=/console', fields);
    const code = { code: codeAt(appSecret, clock.now) };
    const second = await browser.submit(first.headers.get('location')!, code);
    assert.equal(second.headers.get('location'), '/console');
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    assert.equal((await strict.api.get(DASHBOARD, fromConsole(cookie))).status, 200);
    assert.equal((await strict.api.get(DASHBOARD, { token })).status, 200);
    for (const [amr, expected] of [
      [['swk', 'user', 'mfa'], 200],
      [['hwk', 'user'], 403],
    ] as const) {
      const { headers } = await startSession(strict, { clock, userId: owner.id, amr });
      assert.equal(
        (await strict.api.get(DASHBOARD, fromConsole(headers.cookie))).status,
        expected,
        amr.join(),
      );
    }
  });
});
