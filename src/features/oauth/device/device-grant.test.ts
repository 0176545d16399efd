import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import {
  createApplication,
  postForm,
  refresh,
  signIn,
  type TestApplication,
  WITHOUT_LIMITS,
} from '../../../../test/support/applications.ts';
import { beginDevice, createSignedInBrowser, pollDevice } from '../../../../test/support/devices.ts';
import { manualClock } from '../../../../test/support/limits.ts';
import { pluck } from '../../../../test/support/pluck.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { admin, editor, useService } from '../../../../test/support/service.ts';
import { sql } from '../../../database/database.ts';
import { MINUTE } from '../../../lib/time.ts';
import { findApplication } from '../../applications/queries.ts';
import { numberAllEvents } from '../../events/numbering/number-events.ts';
import { readLatestOfSubject } from '../../events/queries.ts';
import { MAX_DEVICES_OF_APPLICATION } from '../../people/tokens/issue-token.ts';
import { listLiveTokens } from '../../people/tokens/queries.ts';
import { deleteOldDevices } from './queries.ts';
import { requestDevice } from './request-device.ts';
import { createUserCode } from './user-codes.ts';

const PROGRAM = { 'user-agent': 'desk-cli/1.0' };
const DEVICES = sql<{ count: number }>('select count(*) as count from device_authorizations');

describeOnEachEngine('device grant', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, { clock, environment: WITHOUT_LIMITS });
  const { database } = service;

  const createDeviceApplication = (members: object = {}) =>
    createApplication(service, { kind: 'public', device: true, ...members });

  async function start(members: object = {}, scope?: string) {
    const application = await createDeviceApplication(members);
    const codes = await beginDevice(service, application, { headers: PROGRAM, ...(scope && { scope }) });
    const person = await signIn(service, { clock });
    const browser = createSignedInBrowser(service, person);
    const decide = (action: 'allow' | 'deny') =>
      browser.submit(`/device/${action}`, { user_code: codes.user_code });
    const poll = () => pollDevice(service, application, codes.device_code, PROGRAM);
    const findError = async () => (await poll()).body.error as string | undefined;
    return { application, codes, browser, decide, poll, findError, ...person };
  }

  const isValid = async (token: string) => (await service.api.get('/api/v1/me', { token })).status === 200;
  const listTokens = (userId: string) => listLiveTokens(service.database, userId, clock.now);

  test('a device gets a token with the name of the application, its own program, and the sign-in of the session that has allowed it', async () => {
    const { application, codes, decide, poll, findError, session, user } = await start(
      { scopes: ['self:read'], token_lifetime_days: 2 },
      'openid email self:read',
    );
    assert.match(codes.user_code, /^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
    const page = `${service.api.url}/device`;
    assert.deepEqual(codes, {
      device_code: codes.device_code,
      user_code: codes.user_code,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${codes.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    assert.equal(await findError(), 'authorization_pending');
    await decide('allow');
    const { status, body, headers } = await poll();
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      [body.token_type, body.expires_in, body.scope],
      ['Bearer', 2 * 86_400, 'self:read openid email'],
    );
    assert.equal(headers.get('cache-control'), 'no-store');
    const { sub, aud, amr, auth_time, sid, email } = decodeJwt(body.id_token);
    assert.deepEqual(
      [sub, aud, amr, auth_time, sid, email],
      [user.id, application.id, ['pwd'], Math.floor(session.authenticatedAt / 1000), undefined, user.email],
    );
    const [token] = await listTokens(user.id);
    assert.match(token!.name, /^Application/);
    assert.deepEqual([token!.device, token!.network], ['desk-cli/1.0', '127.0.0.0/24']);
    await numberAllEvents(service.database);
    const events = await readLatestOfSubject(service.database, `user:${user.id}`, 10);
    const types = events.map(({ type }) => type).reverse();
    assert.deepEqual(types.slice(-2), ['device.authorized', 'token.created']);
  });

  test('a device with offline_access stays signed in after the session that has allowed it, as one program', async () => {
    const { application, browser, decide, poll, user } = await start(
      { refresh: true, scopes: ['self:read'] },
      'openid offline_access self:read',
    );
    await decide('allow');
    const first = (await poll()).body;
    await browser.submit('/sign-out', {});
    const { status, body } = await refresh(service, { application, token: first.refresh_token });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(decodeJwt(body.id_token).sid, undefined);
    assert.equal(await isValid(body.access_token), true);
    assert.equal((await listTokens(user.id)).length, 1);
  });

  test('a denied device gets no token, and an event names the application', async () => {
    const { application, decide, findError, user } = await start();
    await decide('deny');
    for (let polls = 0; polls < 2; polls++) assert.equal(await findError(), 'access_denied');
    await decide('allow');
    assert.equal(await findError(), 'access_denied');
    await numberAllEvents(service.database);
    const [event] = await readLatestOfSubject(service.database, `user:${user.id}`, 1);
    assert.equal(event!.type, 'device.denied');
    assert.match(event!.data!, new RegExp(application.id));
  });

  test('a program that asks too soon has to wait five seconds more each time, and one that waits a second less does not', async () => {
    const { findError } = await start();
    const errors = [];
    for (const seconds of [0, 4, 5, 3, 9, 10, 2, 15]) {
      clock.now += seconds * 1_000;
      errors.push(await findError());
    }
    const [pending, slow] = ['authorization_pending', 'slow_down'];
    assert.deepEqual(errors, [pending, pending, pending, slow, pending, pending, slow, pending]);
  });

  test('a code expires after ten minutes, also one that was allowed, and is deleted a minute later', async () => {
    await database.transaction((tx) => tx.run(sql('delete from device_authorizations')));
    const [waiting, allowed] = [await start(), await start()];
    await allowed.decide('allow');
    clock.now += 10 * MINUTE;
    assert.deepEqual(
      [await waiting.findError(), await allowed.findError()],
      ['expired_token', 'expired_token'],
    );
    const page = await waiting.decide('allow');
    assert.equal((await waiting.browser.get(page.headers.get('location')!)).status, 400);
    clock.now += MINUTE;
    assert.equal(await database.transaction((tx) => deleteOldDevices(tx, clock.now, 500)), 0);
    clock.now += 1;
    while ((await database.transaction((tx) => deleteOldDevices(tx, clock.now, 1))) > 0);
    assert.equal((await database.get(DEVICES))!.count, 0);
    assert.equal(await waiting.findError(), 'invalid_grant');
  });

  test('a second use of a device code is rejected and revokes the tokens of the first', async () => {
    const members = { refresh: true, scopes: ['self:read'] };
    const { application, decide, poll, findError } = await start(members, 'offline_access self:read');
    await decide('allow');
    const { access_token, refresh_token: token } = (await poll()).body;
    assert.ok(await isValid(access_token));
    assert.equal(await findError(), 'invalid_grant');
    assert.ok(!(await isValid(access_token)));
    assert.equal((await refresh(service, { application, token })).status, 400);
  });

  test('one of several concurrent requests of an allowed device gets a token, which the others revoke', async () => {
    const { decide, poll, user } = await start();
    await decide('allow');
    const responses = await Promise.all(Array.from({ length: 20 }, poll));
    assert.equal(responses.filter(({ status }) => status === 200).length, 1);
    assert.deepEqual(await listTokens(user.id), []);
  });

  test('one of several concurrent decisions counts, and one event is recorded', async () => {
    const { decide, findError, user } = await start();
    const decisions = Array.from({ length: 10 }, (_, index) => decide(index % 2 === 0 ? 'allow' : 'deny'));
    await Promise.all(decisions);
    await numberAllEvents(service.database);
    const events = await readLatestOfSubject(service.database, `user:${user.id}`, 30);
    const [event, ...others] = events.filter(({ type }) => type?.startsWith('device.'));
    assert.deepEqual(others, []);
    assert.equal(await findError(), event!.type === 'device.denied' ? 'access_denied' : undefined);
  });

  test('the token of a device outlives the sign-in session, and ends with a new password', async () => {
    const { browser, decide, poll, user } = await start();
    await decide('allow');
    const { access_token: token } = (await poll()).body;
    await browser.submit('/sign-out');
    assert.ok(await isValid(token));
    const password = { password: 'paper lantern under the bridge' };
    await service.api.put(`/api/v1/users/${user.id}/password`, password, admin);
    assert.ok(!(await isValid(token)));
  });

  const change = (path: string, members: object) => service.api.patch(path, members, editor);

  for (const [title, end] of [
    ['the session that has allowed it ends', ({ browser }) => browser.submit('/sign-out')],
    ['the person is disabled', ({ user }) => change(`/api/v1/users/${user.id}`, { state: 'disabled' })],
    [
      'the application is deleted',
      ({ application: { id } }) => service.api.delete(`/api/v1/applications/${id}`, admin),
    ],
    [
      'the application may sign no devices in any more',
      ({ application: { id } }) => change(`/api/v1/applications/${id}`, { device: false }),
    ],
  ] as [string, (started: Awaited<ReturnType<typeof start>>) => Promise<{ status: number }>][])
    test(`an allowed device gets no token after ${title}`, async () => {
      const started = await start();
      await started.decide('allow');
      const { status } = await end(started);
      assert.ok(status < 400, String(status));
      assert.ok(await started.findError());
      assert.deepEqual(await listTokens(started.user.id), []);
    });

  test('a person has 20 devices of an application: the next one replaces the oldest', async () => {
    const { application, browser, user } = await start();
    for (let devices = 0; devices <= MAX_DEVICES_OF_APPLICATION; devices++) {
      clock.now++;
      const { user_code, device_code } = await beginDevice(service, application);
      await browser.submit('/device/allow', { user_code });
      assert.equal((await pollDevice(service, application, device_code)).status, 200);
    }
    assert.equal((await listTokens(user.id)).length, MAX_DEVICES_OF_APPLICATION);
  });

  test('a user code that another device has is replaced by a new one', async () => {
    const { id } = await createDeviceApplication();
    const application = (await findApplication(database, id))!;
    const hash = (code: string) => `hash of ${code}`;
    const deps = { database, clock, userCodes: { hash } };
    const codes = ['BBBB-BBBB', 'BBBB-BBBB', 'CCCC-CCCC'];
    const request = () => requestDevice(deps, { application, scope: undefined }, () => codes.shift()!);
    const devices = [await request(), await request()];
    assert.deepEqual(pluck(devices, 'user_code'), ['BBBB-BBBB', 'CCCC-CCCC']);
  });

  if (engine === 'postgres') return;

  test('no two of 1,000 user codes are alike', () => {
    assert.equal(new Set(Array.from({ length: 1_000 }, createUserCode)).size, 1_000);
  });

  const request = async (
    path: '/oauth/token' | '/oauth/device_authorization',
    application: TestApplication | null,
    form: Record<string, string | undefined>,
  ) => {
    const { id, client_secret } = application ?? (await createDeviceApplication());
    const client = { client_id: id, client_secret: client_secret ?? undefined };
    return postForm(service, path, { ...client, ...form });
  };

  for (const [title, members, form, status, error] of [
    ['of an unknown client', {}, { client_id: 'unknown' }, 401, 'invalid_client'],
    ['without a client', {}, { client_id: undefined }, 401, 'invalid_client'],
    ['with a wrong secret', { kind: 'web' }, { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['without its secret', { kind: 'web' }, { client_secret: undefined }, 401, 'invalid_client'],
    ['of an application without devices', { device: false }, {}, 400, 'unauthorized_client'],
    ['with a scope that it may not have', {}, { scope: 'admin' }, 400, 'invalid_scope'],
  ] as const)
    test(`a request for the codes of a device ${title} is rejected with ${error}`, async () => {
      const application = await createDeviceApplication(members);
      const { body, ...response } = await request('/oauth/device_authorization', application, form);
      assert.deepEqual([response.status, body.error], [status, error]);
      assert.ok(body.error_description);
    });

  test('a web application gets the codes of a device with its secret, and all of its scopes without a scope', async () => {
    const application = await createDeviceApplication({ kind: 'web', scopes: ['self:read'] });
    const { user_code, device_code } = await beginDevice(service, application);
    const browser = createSignedInBrowser(service, await signIn(service, { clock }));
    await browser.submit('/device/allow', { user_code });
    const { body } = await pollDevice(service, application, device_code);
    assert.deepEqual([body.scope, body.id_token], ['self:read', undefined]);
  });

  test('a device code that is missing, wrong, or that of another application is rejected, and stays valid', async () => {
    const { codes, decide, poll } = await start();
    await decide('allow');
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    const { device_code, user_code } = codes;
    for (const [form, error] of [
      [{}, 'invalid_request'],
      [{ device_code: 'wrong' }, 'invalid_grant'],
      [{ device_code: user_code }, 'invalid_grant'],
      [{ device_code }, 'invalid_grant'],
    ] as const) {
      const { status, body } = await request('/oauth/token', null, { grant_type, ...form });
      assert.deepEqual([status, body.error], [400, error]);
    }
    assert.equal((await poll()).status, 200);
  });
});
