import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { fromConsole } from '../../../../test/support/browser/console-session.ts';
import { manualClock } from '../../../../test/support/limits.ts';
import { pluck } from '../../../../test/support/pluck.ts';
import { listEvents } from '../../../../test/support/processes/recovery.ts';
import { describeOnEachEngine, describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { admin, editor, useService } from '../../../../test/support/service.ts';
import { insertTestUser, register } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { hashToken } from '../../../lib/secrets/tokens.ts';
import { HOUR, MINUTE } from '../../../lib/time.ts';
import { findUser } from '../../users/records/queries.ts';
import { endOtherSessions } from '../tokens/revoke-tokens.ts';
import { deleteEndedSessions } from './queries.ts';
import { createSignInSessions } from './sessions.ts';

const PATH = '/api/v1/me/sessions';
const TAG = 'abcd-123';
const NAME = `frontdesk-person-${TAG}`;
const LOCAL = { host: '127.0.0.1:3000' };

describeOnEachEngine('sign-in sessions', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, { clock });
  const { database } = service;
  const create = (publicUrl = '') =>
    createSignInSessions({ database: service.database, clock, publicUrl, cookieTag: TAG });

  const toForm = (headers: IncomingHttpHeaders) => ({ headers, url: '/sign-in', body: undefined });

  /** Starts a session of a user; returns it with the headers of the next request of the browser. */
  async function start(userId: string, headers: IncomingHttpHeaders = LOCAL) {
    const user = (await findUser(database, userId))!;
    const admitted = { user, amr: ['pwd', 'otp'], authenticatedAt: clock.now } as const;
    const { session, cookie } = await database.transaction((tx) =>
      create().start(tx, admitted, toForm(headers)),
    );
    return { ...session, setCookie: cookie, headers: { ...LOCAL, cookie: cookie.split(';')[0]! } };
  }

  const startForNewUser = async () => start((await insertTestUser(service.database)).id);

  test('a session is found by its cookie with its user, and by no other', async () => {
    const { id, userId, headers, setCookie } = await startForNewUser();
    const found = await create().find(headers);
    assert.deepEqual([found?.id, found?.userId, found?.user.id], [id, userId, userId]);
    assert.deepEqual(found?.amr, ['pwd', 'otp']);
    assert.equal(
      setCookie.replace(/=[^;]+/, '='),
      `${NAME}=; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`,
    );
    for (const cookie of [undefined, '', `${NAME}=`, `${NAME}=${'0'.repeat(43)}`])
      assert.equal(await create().find({ ...LOCAL, ...(cookie === undefined ? {} : { cookie }) }), undefined);
  });

  test('the cookie of a session is stored as a hash only', async () => {
    const { id, headers } = await startForNewUser();
    const row = await service.database.get(
      sql<{ hash: string }>('select hash from sign_in_sessions where id = $1'),
      id,
    );
    assert.equal(row?.hash, hashToken(headers.cookie.split('=')[1]!));
  });

  for (const [publicUrl, host, secure] of [
    ['https://id.example.com', 'id.example.com', true],
    ['http://id.example.com', 'id.example.com', true],
    ['', 'id.example.com', true],
    ['http://localhost:3000', 'localhost:3000', false],
    ['', '[::1]:3000', false],
    ['', '127.0.0.1.example.com', true],
  ] as const)
    test(`the cookie of a session is ${secure ? '' : 'not '}limited to TLS with PUBLIC_URL "${publicUrl}" and Host ${host}`, () => {
      const cookie = create(publicUrl).expiredCookie({ host });
      assert.equal(cookie.startsWith(`__Host-${NAME}=;`), secure);
      assert.equal(cookie.includes('; Secure'), secure);
      assert.match(cookie, /; Max-Age=0;/);
    });

  test('a session ends 12 hours after its last use, and 30 days after its start', async () => {
    const { headers } = await startForNewUser();
    for (let hours = 0; hours < 30 * 24; hours += 11) {
      assert.notEqual(await create().find(headers), undefined, `${hours}`);
      clock.now += 11 * HOUR;
    }
    assert.equal(await create().find(headers), undefined);
    const other = await startForNewUser();
    clock.now += 12 * HOUR;
    assert.equal(await create().find(other.headers), undefined);
    assert.ok((await database.transaction((tx) => deleteEndedSessions(tx, clock.now, 100))) >= 2);
    assert.equal(await database.transaction((tx) => deleteEndedSessions(tx, clock.now, 100)), 0);
  });

  test('uses within five minutes are not written', async () => {
    const { headers } = await startForNewUser();
    const findLastUse = async () => (await create().find(headers))!.lastUsedAt;
    const startedAt = await findLastUse();
    clock.now += 5 * MINUTE - 1;
    for (const _ of [1, 2]) assert.equal(await findLastUse(), startedAt);
    clock.now += 1;
    await findLastUse();
    assert.equal(await findLastUse(), startedAt + 5 * MINUTE);
  });

  test('a sign-in ends the session that the browser had, and starts one with another cookie', async () => {
    const first = await startForNewUser();
    const second = await start(first.userId, first.headers);
    assert.notEqual(second.headers.cookie, first.headers.cookie);
    assert.equal(await create().find(first.headers), undefined);
    assert.equal((await create().find(second.headers))?.id, second.id);
    assert.deepEqual(await listEvents(service, first.userId), [
      'session.created by user',
      'session.created by user',
      'session.ended by user',
    ]);
  });

  test('a user has at most 50 sessions: the oldest ends', async () => {
    const first = await startForNewUser();
    const others = [];
    for (let count = 0; count < 50; count++) others.push(await start(first.userId));
    assert.equal(await create().find(first.headers), undefined);
    assert.notEqual(await create().find(others[0]!.headers), undefined);
  });

  test('an administrator lists the sessions of a user, and ends one', async () => {
    const [session, other] = [await startForNewUser(), await startForNewUser()];
    const path = `/api/v1/users/${session.userId}/sessions`;
    const list = await service.api.get(path, admin);
    assert.equal(list.body.data.length, 1);
    const { id, amr, device } = list.body.data[0];
    assert.deepEqual([id, amr, device], [session.id, ['pwd', 'otp'], null]);
    assert.equal((await service.api.delete(`${path}/${id}`, admin)).status, 204);
    for (const unknown of [id, other.id, 'x'])
      assert.equal((await service.api.delete(`${path}/${unknown}`, admin)).body.code, 'session_not_found');
    assert.equal(await create().find(session.headers), undefined);
    const events = await listEvents(service, session.userId);
    assert.ok(events.includes('session.ended by administrator'), String(events));
  });

  test('an administrator who ends all sessions of a user leaves an event, also if there is no token, and once', async () => {
    const session = await startForNewUser();
    await start(session.userId);
    const revoke = () => service.api.delete(`/api/v1/users/${session.userId}/tokens`, admin);
    for (let count = 0; count < 2; count++) assert.equal((await revoke()).status, 204);
    assert.equal(await create().find(session.headers), undefined);
    assert.deepEqual(await listEvents(service, session.userId), [
      'session.created by user',
      'session.created by user',
      'session.ended (several) by administrator',
    ]);
  });

  test('a user lists the own sessions, newest first, and ends one, with the tokens that come from it', async () => {
    const person = await register(service);
    const other = await startForNewUser();
    const [first, second] = [await start(person.id), await start(person.id)];
    const { token } = person;
    const list = async () => (await service.api.get(PATH, { token })).body.data;
    assert.deepEqual(pluck(await list(), 'id'), [second.id, first.id]);
    const login = await service.api.post('/api/login', person);
    await setSession(login.body.access_token, first.id);
    const end = (id: string) => service.api.delete(`${PATH}/${id}`, { token });
    assert.equal((await end(first.id)).status, 204);
    for (const id of [first.id, other.id, 'x']) assert.equal((await end(id)).body.code, 'session_not_found');
    assert.equal(await create().find(first.headers), undefined);
    assert.equal((await service.api.get('/api/v1/me', { token: login.body.access_token })).status, 401);
    assert.equal((await list()).length, 1);
  });

  test('logging out of all other sessions keeps the session that the token comes from, logging out of all ends it', async () => {
    const { id, token } = await register(service);
    const [own, other] = [await start(id), await start(id)];
    await setSession(token, own.id);
    const logOut = (scope: string) => service.api.post('/api/logout', { scope }, { token });
    assert.equal((await logOut('others')).status, 200);
    assert.equal(await create().find(other.headers), undefined);
    assert.equal((await create().find(own.headers))?.id, own.id);
    assert.equal((await logOut('all')).status, 200);
    assert.equal(await create().find(own.headers), undefined);
  });

  test('a person who signs out everywhere else keeps this session with its tokens, and leaves events once', async () => {
    const { id, token, ...person } = await register(service);
    const [own, other] = [await start(id), await start(id)];
    await setSession(token, own.id);
    const login = await service.api.post('/api/login', person);
    for (let count = 0; count < 2; count++)
      await endOtherSessions({ database: service.database, clock }, own);
    assert.equal(await create().find(other.headers), undefined);
    assert.equal((await create().find(own.headers))?.id, own.id);
    const whoAmI = async (token: string) => (await service.api.get('/api/v1/me', { token })).status;
    assert.deepEqual([await whoAmI(token), await whoAmI(login.body.access_token)], [200, 401]);
    const events = (await listEvents(service, id)).map((event) => event.split(' by ')[0]);
    assert.deepEqual(events.slice(-2), ['token.revoked (several)', 'session.ended (several)']);
  });

  const setSession = (token: string, id: string) =>
    service.database.transaction((tx) =>
      tx.run(sql('update tokens set session_id = $2 where hash = $1'), hashToken(token), id),
    );

  for (const [cause, act] of Object.entries({
    'a new password': ({ token, password }) =>
      service.api.put(
        '/api/v1/me/password',
        { current_password: password, password: 'another good password' },
        { token },
      ),
    'logging out everywhere else': ({ token }) =>
      service.api.delete('/api/v1/tokens?except=current', { token }),
    'the erasure of the account': ({ token, password }) =>
      service.api.delete('/api/v1/me', { token, body: { current_password: password } }),
    'disabling the user': ({ id }) => service.api.patch(`/api/v1/users/${id}`, { state: 'disabled' }, editor),
    'revoking the tokens of the user': ({ id }) => service.api.delete(`/api/v1/users/${id}/tokens`, admin),
  } satisfies Record<string, (person: Awaited<ReturnType<typeof register>>) => Promise<{ status: number }>>))
    test(`${cause} ends all sessions of the user`, async () => {
      const person = await register(service);
      const { headers } = await start(person.id);
      assert.ok((await act(person)).status < 300);
      assert.equal(await create().find(headers), undefined);
      const rows = await service.database.all(
        sql('select id from sign_in_sessions where user_id = $1'),
        person.id,
      );
      assert.deepEqual(rows, []);
    });
});

describeOnSqlite('the cookies of two instances on one host', (engine) => {
  const SECRET_KEY = 'secret-key-of-the-tests-of-two-instances';
  const toOptions = (path: string, key = SECRET_KEY) => ({
    environment: { PUBLIC_URL: `https://example.com${path}`, SECRET_KEY: key },
  });
  const one = useService(engine, toOptions('/one'));
  const node = useService(engine, toOptions('/one'));
  const others = [
    useService(engine, toOptions('/two')),
    useService(engine, toOptions('/one', SECRET_KEY.toUpperCase())),
  ];

  test('cookies have the same names on all nodes of an instance, and others on an instance with another path or SECRET_KEY', async () => {
    const readNames = async ({ api }: typeof one) => {
      const { headers } = await api.delete('/console/session', fromConsole());
      return headers.getSetCookie().map((cookie) => cookie.split('=')[0]!);
    };
    const names = await readNames(one);
    assert.equal(names.length, 2);
    assert.deepEqual(await readNames(node), names);
    for (const other of others)
      for (const name of await readNames(other)) assert.equal(names.includes(name), false, name);
  });
});
