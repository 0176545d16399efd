/** Sessions of the console that began with a named credential. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FROM_CONSOLE,
  fromConsole,
  SESSION_PATH,
  signIn,
} from '../../../test/support/browser/console-session.ts';
import { createCredential } from '../../../test/support/credentials.ts';
import { numberAllEvents } from '../../../test/support/events.ts';
import { fromIp, limited, manualClock, newClientIp } from '../../../test/support/limits.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { HOUR, MINUTE } from '../../lib/time/clock.ts';

const DASHBOARD = '/api/v1/admin/dashboard';
const token = ADMIN_TOKEN;

describeOnSqlite('console sessions of a named credential', (engine) => {
  const clock = manualClock();
  const service = useService(engine, limited({}, { clock }));
  const get = (cookie: string, path = DASHBOARD) => service.api.get(path, fromConsole(cookie));
  const status = async (cookie: string) => (await get(cookie)).status;

  test('a session has the name and the scopes of its credential, and no other rights', async () => {
    const { secret, record } = await createCredential(service, ['users:read']);
    const cookie = await signIn(service, secret);
    const { id, name } = record;
    const { body } = await get(cookie, SESSION_PATH);
    assert.deepEqual(body.data.credential, { id, name, scopes: ['users:read'] });
    const owner = await get(await signIn(service), SESSION_PATH);
    assert.deepEqual(owner.body.data.credential, { id: null, name: 'ADMIN_TOKEN', scopes: ['admin'] });
    assert.equal(await status(cookie), 200);
    const { status: rejection, headers } = await get(cookie, '/api/v1/events');
    const challenge = 'Bearer realm="admin", error="insufficient_scope", scope="events:read"';
    assert.deepEqual([rejection, headers.get('www-authenticate')], [403, challenge]);
  });

  test('sessions end with the revocation, the expiry, and the secret that they began with', async () => {
    const revoked = await createCredential(service, ['users:read']);
    const expires_at = new Date(clock.now + 20 * MINUTE).toISOString();
    const expiring = await createCredential(service, ['users:read'], { expires_at });
    const rotated = await createCredential(service, ['users:read']);
    const cookies = [
      await signIn(service, revoked.secret),
      await signIn(service, expiring.secret),
      await signIn(service, rotated.secret),
    ];
    const statuses = () => Promise.all(cookies.map(status));
    const session = await get(cookies[1]!, SESSION_PATH);
    assert.equal(session.body.data.expires_at, expires_at);
    await service.api.post(`${rotated.path}/rotate`, { overlap: 600 }, { token });
    assert.deepEqual(await statuses(), [200, 200, 200]);
    await service.api.delete(revoked.path, { token });
    assert.deepEqual(await statuses(), [401, 200, 200]);
    clock.now += 600_000;
    assert.deepEqual(await statuses(), [401, 200, 401]);
    clock.now += 10 * MINUTE;
    assert.deepEqual(await statuses(), [401, 401, 401]);
    clock.now += HOUR;
  });

  test('sign-ins and sign-outs are events that name the credential', async () => {
    const { secret, record } = await createCredential(service, ['users:read']);
    await service.api.delete(SESSION_PATH, fromConsole(await signIn(service, secret)));
    await numberAllEvents(service.service.database);
    const path = `/api/v1/events?actor=administrator:${record.id}&order=time`;
    const events: { type: string; actor: object }[] = (await service.api.get(path, { token })).body.data;
    const actor = { type: 'administrator', id: record.id, name: record.name };
    assert.deepEqual(
      events.map((event) => [event.type, event.actor]),
      [
        ['session.opened', actor],
        ['session.closed', actor],
      ],
    );
  });

  const networks = ['192.0.2.0/24', '2001:db8::/32'];
  const allowed = ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8:1::7'];
  const others = ['192.0.3.7', '::ffff:192.0.3.7', '2001:db9::7', '127.0.0.1'];

  test('a credential with networks is rejected from all others like an unknown one, in headers, at the sign-in and in sessions', async () => {
    const { secret } = await createCredential(service, ['users:read'], { networks });
    const session = (clientIp: string) =>
      service.api.post(SESSION_PATH, { credential: secret }, fromIp(clientIp, { headers: FROM_CONSOLE }));
    const cookie = (await session(allowed[0]!)).headers.getSetCookie()[0]!.split(';')[0]!;
    const use = (clientIp: string) =>
      Promise.all([
        service.api.get(DASHBOARD, fromIp(clientIp, { token: secret })),
        session(clientIp),
        service.api.get(DASHBOARD, fromIp(clientIp, fromConsole(cookie))),
      ]);
    for (const clientIp of allowed) {
      const statuses = (await use(clientIp)).map((response) => response.status);
      assert.deepEqual(statuses, [200, 201, 200], clientIp);
    }
    for (const clientIp of others) {
      const [header, signedIn, used] = await use(clientIp);
      assert.deepEqual([header.status, signedIn.status, used.status], [401, 401, 401], clientIp);
      assert.match(header.headers.get('www-authenticate')!, /error="invalid_token"/);
    }
  });

  test('wrong, revoked and expired credentials count as failed attempts, and the right one is still accepted', async () => {
    const revoked = await createCredential(service, ['users:read']);
    await service.api.delete(revoked.path, { token });
    const valid = await createCredential(service, ['users:read']);
    const clientIp = newClientIp();
    const send = (secret: string) => service.api.get(DASHBOARD, fromIp(clientIp, { token: secret }));
    for (let count = 0; count < 10; count++) assert.equal((await send(revoked.secret)).status, 401);
    const { status: limit, body } = await send(revoked.secret);
    assert.deepEqual([limit, body.code], [429, 'rate_limited_admin_fail']);
    const accepted = await send(valid.secret);
    assert.equal(accepted.status, 200);
    assert.match(accepted.headers.get('ratelimit')!, /^"credential-read";r=\d+;t=\d+$/);
  });
});
