import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApplication, postForm } from '../../../test/support/applications.ts';
import { beginDevice, pollDevice } from '../../../test/support/devices.ts';
import { fromIp, limited, manualClock, newClientIp } from '../../../test/support/limits.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { newUserData, useService } from '../../../test/support/service.ts';
import { register } from '../../../test/support/users.ts';

describeOnSqlite('limits of applications', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, limited({}, { clock }));
  const few = useService(engine, limited({ RATE_LIMIT_APPLICATION: '20/60', RATE_LIMIT_LOGIN: '8/60' }));

  test('a hundred devices wait at the interval of the service, and a person signs in from the same network', async () => {
    const { headers = {} } = fromIp(newClientIp());
    const application = await createApplication(service, { kind: 'public', device: true });
    const devices = [];
    for (let count = 0; count < 100; count++)
      devices.push(await beginDevice(service, application, { headers }));
    for (let polls = 0; polls < 3; polls++) {
      clock.now += 5_000;
      for (const { device_code } of devices) {
        const { body } = await pollDevice(service, application, device_code, headers);
        assert.equal(body.error, 'authorization_pending');
      }
    }
    const user = newUserData();
    await register(service, user);
    const { email, password } = user;
    assert.equal((await service.api.post('/api/login', { email, password }, { headers })).status, 200);
  });

  test('a flood of requests with a valid client is rejected with 429 and Retry-After, and nobody else is', async () => {
    const { headers = {} } = fromIp(newClientIp());
    const application = await createApplication(few, { kind: 'public', device: true });
    const poll = (from = headers) => pollDevice(few, application, 'wrong', from);
    for (let sent = 0; sent < 20; sent++) assert.equal((await poll()).body.error, 'invalid_grant');
    const { status, body, headers: limits } = await poll();
    assert.deepEqual([status, body.error], [429, 'temporarily_unavailable']);
    assert.ok(Number(limits.get('retry-after')) > 0);
    assert.equal((await poll(fromIp(newClientIp()).headers)).body.error, 'invalid_grant');
    const login = { email: 'nobody@example.com', password: 'wrong' };
    assert.equal((await few.api.post('/api/login', login, { headers })).status, 401);
  });

  test('wrong secrets of applications count as sign-ins of their network at all endpoints, and the right one is always accepted', async () => {
    const { headers = {} } = fromIp(newClientIp());
    const { id, client_secret } = await createApplication(few, { device: true });
    const send = (path: string, secret: string) =>
      postForm(few, `/oauth/${path}`, { client_id: id, client_secret: secret, token: 'none' }, headers);
    const paths = ['token', 'device_authorization', 'revoke', 'introspect'];
    for (const path of [...paths, ...paths]) {
      const { status, body } = await send(path, 'wrong');
      assert.deepEqual([status, body.error], [401, 'invalid_client'], path);
    }
    for (const path of paths) {
      const { status, body, headers: limits } = await send(path, 'wrong');
      assert.deepEqual([status, body.error], [429, 'temporarily_unavailable'], path);
      assert.ok(Number(limits.get('retry-after')) > 0);
    }
    assert.equal((await send('revoke', client_secret!)).status, 200);
    const login = await few.api.post('/api/login', newUserData(), { headers });
    assert.equal(login.body.code, 'rate_limited_login');
  });
});
