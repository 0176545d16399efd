import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  createCookie,
  fromConsole,
  getCookie,
  SESSION_PATH,
  signIn,
} from '../../../test/support/browser/console-session.ts';
import { fromIp, limited, manualClock, newClientIp } from '../../../test/support/limits.ts';
import {
  createTestDatabase,
  describeOnEachEngine,
  describeOnSqlite,
  type TestDatabase,
} from '../../../test/support/runner/engines.ts';
import {
  ADMIN_TOKEN,
  admin,
  startService,
  type TestService,
  useService,
} from '../../../test/support/service.ts';
import { sql } from '../../database/database.ts';
import { hashToken } from '../../lib/secrets/tokens.ts';
import { HOUR, MINUTE } from '../../lib/time.ts';

const UNKNOWN = 'a'.repeat(43);
const DASHBOARD = '/api/v1/admin/dashboard';
const SESSIONS = sql<{ hash: string; last_used_at: number }>(
  'select hash, last_used_at from console_sessions order by created_at',
);
const OTHER = 'another-administrator-credential';
const parseToken = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1);

describeOnSqlite('console sessions', (engine) => {
  const clock = manualClock();
  const service = useService(engine, { clock });
  const send = (method: string, cookie?: string) =>
    service.api.request(method, SESSION_PATH, fromConsole(cookie));
  const status = async (cookie: string) => (await service.api.get(DASHBOARD, fromConsole(cookie))).status;
  const stored = () => service.database.all(SESSIONS);

  test('a console session begins with 201, its times, and a cookie for this host that no script or other site can use', async () => {
    const response = await service.api.post(SESSION_PATH, { credential: ADMIN_TOKEN }, fromConsole());
    assert.equal(response.status, 201);
    assert.deepEqual(response.body, {
      message: 'Signed in',
      data: {
        created_at: new Date(clock.now).toISOString(),
        expires_at: new Date(clock.now + 12 * HOUR).toISOString(),
        idle_seconds: 1800,
        credential: { id: null, name: 'ADMIN_TOKEN', role: null, scopes: ['admin'] },
        has_owner: false,
      },
    });
    const [cookie = ''] = response.headers.getSetCookie();
    const [pair = '', ...attributes] = cookie.split('; ');
    assert.match(pair, /^__Host-frontdesk-[\w-]{8}=[0-9A-Za-z]{43}$/);
    assert.deepEqual(attributes.sort(), ['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Strict', 'Secure']);
    assert.equal(response.headers.get('cache-control'), 'no-store');
  });

  test('console sessions are returned by GET with the same times as at sign-in', async () => {
    const signedIn = await service.api.post(SESSION_PATH, { credential: ADMIN_TOKEN }, fromConsole());
    const { status, body } = await send('GET', getCookie(signedIn));
    assert.equal(status, 200);
    assert.deepEqual(body, { message: 'Session of the console', data: signedIn.body.data });
  });

  test('console sessions are not returned without a cookie, with an unknown one, or for the credential itself: 401', async () => {
    const cookies = ['', 'x', UNKNOWN].map((token) => createCookie(service, token));
    for (const cookie of [undefined, ...(await Promise.all(cookies))])
      assert.equal((await send('GET', cookie)).status, 401, `${cookie}`);
    assert.equal((await service.api.get(SESSION_PATH, admin)).status, 401);
  });

  test('a console session does not begin with a body above 16 KiB: 413', async () => {
    const response = await service.api.post(SESSION_PATH, { credential: 'x'.repeat(16_384) }, fromConsole());
    assert.equal(response.status, 413);
  });

  for (const wrong of [
    `${ADMIN_TOKEN}x`,
    ADMIN_TOKEN.slice(1),
    ` ${ADMIN_TOKEN}`,
    `Bearer ${ADMIN_TOKEN}`,
    'é',
  ]) {
    test(`a console session does not begin with the wrong credential ${JSON.stringify(wrong)}: 401`, async () => {
      const before = await stored();
      const { status, headers, body } = await service.api.post(
        SESSION_PATH,
        { credential: wrong },
        fromConsole(),
      );
      assert.deepEqual([status, body.code], [401, 'unauthorized']);
      assert.equal(headers.get('www-authenticate'), 'Bearer realm="admin"');
      assert.deepEqual(headers.getSetCookie(), []);
      assert.deepEqual(await stored(), before);
    });
  }

  test('a sign-in creates a new session token, and ends the session whose cookie came with it', async () => {
    const first = await signIn(service);
    const other = await signIn(service);
    const again = await service.api.post(SESSION_PATH, { credential: ADMIN_TOKEN }, fromConsole(first));
    const second = getCookie(again);
    assert.equal(new Set([first, other, second]).size, 3);
    assert.deepEqual([await status(first), await status(other), await status(second)], [401, 200, 200]);
  });

  test('console sessions never have a token that the browser sent', async () => {
    const planted = await createCookie(service, UNKNOWN);
    const response = await service.api.post(SESSION_PATH, { credential: ADMIN_TOKEN }, fromConsole(planted));
    assert.notEqual(getCookie(response), planted);
    assert.equal(await status(planted), 401);
  });

  test('a console session ends at sign-out with 204, which expires the cookie and keeps data of other applications', async () => {
    const cookie = await signIn(service);
    for (const reason of ['the session is live', 'it has ended already']) {
      const response = await send('DELETE', cookie);
      assert.equal(response.status, 204, reason);
      assert.equal(response.headers.get('clear-site-data'), null);
      const [cookieSet = ''] = response.headers.getSetCookie();
      const [expired, ...attributes] = cookieSet.split('; ');
      assert.equal(expired, await createCookie(service, ''));
      assert.deepEqual(attributes.sort(), ['HttpOnly', 'Max-Age=0', 'Path=/', 'SameSite=Strict', 'Secure']);
      assert.equal(await status(cookie), 401);
    }
    assert.ok(!(await stored()).some(({ hash }) => hash === hashToken(parseToken(cookie))));
    assert.equal((await send('DELETE')).status, 204, 'without a cookie');
  });

  test('console sessions that end leave other sessions unchanged', async () => {
    const [one, other] = [await signIn(service), await signIn(service)];
    await send('DELETE', one);
    assert.equal(await status(other), 200);
  });

  test('console sessions end after 30 minutes without a request, each of which extends them', async () => {
    const used = await signIn(service);
    const unused = await signIn(service);
    clock.now += 30 * MINUTE - 1;
    assert.equal((await send('GET', used)).status, 200);
    clock.now += 1;
    assert.deepEqual([await status(used), await status(unused)], [200, 401]);
    clock.now += 29 * MINUTE;
    assert.equal(await status(used), 200);
    clock.now += 30 * MINUTE;
    assert.equal(await status(used), 401);
  });

  test('console sessions end after 12 hours however much they are used', async () => {
    const cookie = await signIn(service);
    const end = clock.now + 12 * HOUR;
    while (clock.now + 20 * MINUTE < end) {
      clock.now += 20 * MINUTE;
      assert.equal(await status(cookie), 200);
    }
    clock.now = end - 1;
    assert.equal(await status(cookie), 200);
    clock.now = end;
    assert.equal(await status(cookie), 401);
  });

  test('the use of a console session is written at most once a minute', async () => {
    const cookie = await signIn(service);
    const hash = hashToken(parseToken(cookie));
    const lastUsed = async () => (await stored()).find((session) => session.hash === hash)!.last_used_at;
    const begun = clock.now;
    clock.now += MINUTE - 1;
    await status(cookie);
    assert.equal(await lastUsed(), begun);
    clock.now += 1;
    await Promise.all([status(cookie), status(cookie), status(cookie)]);
    assert.equal(await lastUsed(), begun + MINUTE);
  });
});

describeOnEachEngine('console sessions of one value of ADMIN_TOKEN', (engine) => {
  const clock = manualClock();
  const both = `${ADMIN_TOKEN},${OTHER}`;
  const service = useService(engine, { clock, environment: { ADMIN_TOKEN: both } });
  const status = async (cookie: string) => (await service.api.get(DASHBOARD, fromConsole(cookie))).status;

  test('console sessions are at most ten of a value of ADMIN_TOKEN: a sign-in ends its own oldest, and none of others', async () => {
    const other = await signIn(service);
    const cookies: string[] = [];
    for (let count = 0; count < 11; count++) {
      clock.now += 1;
      cookies.push(await signIn(service, OTHER));
    }
    const [oldest, next] = cookies as [string, string];
    const statuses = [
      await status(oldest),
      await status(next),
      await status(cookies[10]!),
      await status(other),
    ];
    assert.deepEqual(statuses, [401, 200, 200, 200]);
  });
});

describeOnSqlite('wrong credentials at the sign-in of the console', (engine) => {
  const service = useService(engine, limited({ RATE_LIMIT_ANON: '3/36000' }));
  const attempt = (clientIp: string, token: string) =>
    service.api.post(SESSION_PATH, { credential: token }, fromIp(clientIp, fromConsole()));

  test('wrong credentials at the sign-in and in the header count together, ten in 15 minutes', async () => {
    const clientIp = newClientIp();
    for (let count = 0; count < 5; count++) {
      assert.equal((await attempt(clientIp, 'wrong')).status, 401);
      assert.equal((await service.api.get(DASHBOARD, fromIp(clientIp, { token: 'wrong' }))).status, 401);
    }
    const { status, body } = await attempt(clientIp, 'wrong');
    assert.deepEqual([status, body.code], [429, 'rate_limited_admin_fail']);
    assert.equal((await service.api.get(DASHBOARD, fromIp(clientIp, { token: 'wrong' }))).status, 429);
    assert.equal((await attempt(clientIp, ADMIN_TOKEN)).status, 201);
  });

  test('ended console sessions count as anonymous requests, not as wrong credentials, and sign-in stays possible', async () => {
    const clientIp = newClientIp();
    const ended = fromIp(clientIp, fromConsole(await createCookie(service, UNKNOWN)));
    const codes: string[] = [];
    for (let count = 0; count < 15; count++) codes.push((await service.api.get(DASHBOARD, ended)).body.code);
    assert.deepEqual(codes.slice(0, 4), [
      'unauthorized',
      'unauthorized',
      'unauthorized',
      'rate_limited_anon',
    ]);
    assert.equal((await attempt(clientIp, 'wrong')).status, 401);
    const signedIn = await attempt(clientIp, ADMIN_TOKEN);
    assert.equal(signedIn.status, 201);
    const request = fromIp(clientIp, fromConsole(getCookie(signedIn)));
    for (let count = 0; count < 5; count++)
      assert.equal((await service.api.get(DASHBOARD, request)).status, 200, 'sessions have no limit');
    assert.equal((await service.api.delete(SESSION_PATH, request)).status, 204);
  });
});

describeOnSqlite('console sessions after a restart', (engine) => {
  const other = OTHER;
  let testDatabase: TestDatabase;
  let service: TestService;
  const start = async (environment: Record<string, string>) => {
    service = await startService(engine, { testDatabase, environment });
  };
  const restart = async (environment: Record<string, string>) => {
    await service.stop();
    await start(environment);
  };
  const statuses = (...cookies: string[]) =>
    Promise.all(
      cookies.map(async (cookie) => (await service.api.get(DASHBOARD, fromConsole(cookie))).status),
    );
  before(async () => {
    testDatabase = await createTestDatabase(engine);
    await start({});
  });
  after(async () => {
    await service.stop();
    await testDatabase.remove();
  });

  test('console sessions continue after a restart while their credential is accepted, and have ended when it is not', async () => {
    const first = await signIn(service);
    await restart({ ADMIN_TOKEN: `${other},${ADMIN_TOKEN}` });
    const second = await signIn(service, other);
    assert.deepEqual(await statuses(first, second), [200, 200]);
    await restart({ ADMIN_TOKEN: other });
    assert.deepEqual(await statuses(first, second), [401, 200]);
  });

  test('CONSOLE=off removes the console sessions: their routes are unknown, and the cookie is ignored', async () => {
    await restart({});
    const cookie = await signIn(service);
    await restart({ CONSOLE: 'off' });
    for (const method of ['GET', 'POST', 'DELETE'])
      assert.equal((await service.api.request(method, SESSION_PATH, fromConsole(cookie))).status, 404);
    assert.deepEqual(await statuses(cookie), [401]);
    const list = await service.api.get('/api/v1/users', fromConsole(cookie));
    assert.deepEqual([list.status, list.body], [200, { message: 'Users list' }]);
  });
});
