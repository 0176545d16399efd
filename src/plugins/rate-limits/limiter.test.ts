import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertNoLimitFields,
  fromIp,
  limited,
  limitFields,
  manualClock,
  newClientIp,
} from '../../../test/support/limits.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { insertLoggedInUser } from '../../../test/support/users.ts';

const EMPTY = {};
const CREATE = '"create";q=60;w=60, "create-hour";q=200;w=3600, "create-day";q=500;w=86400';

describeOnSqlite('limit headers', (engine) => {
  const clock = manualClock();
  const service = useService(engine, limited({}, { clock }));
  const perHour = '"register-hour";q=200;w=3600';
  const post = (path: string) => (token?: string) =>
    service.api.post(path, EMPTY, fromIp(newClientIp(), token === undefined ? {} : { token }));
  const get = (path: string) => (token?: string) =>
    service.api.get(path, fromIp(newClientIp(), token === undefined ? {} : { token }));

  const anonymous = [
    ['the list', get('/api/v1/users'), '"anon";q=120;w=60', '"anon";r=119;t=1', '120', 500],
    [
      'an invalid form',
      post('/api/v1/form-fields/validate'),
      '"anon";q=120;w=60',
      '"anon";r=119;t=1',
      '120',
      500,
    ],
    [
      'a new record, which three limits count',
      post('/api/v1/users'),
      CREATE,
      '"create";r=59;t=1, "create-hour";r=199;t=18, "create-day";r=499;t=173',
      '60',
      1000,
    ],
    ['a login', post('/api/login'), '"login";q=60;w=60', '"login";r=59;t=1', '60', 1000],
    [
      'a login by its versioned name',
      post('/api/v1/login'),
      '"login";q=60;w=60',
      '"login";r=59;t=1',
      '60',
      1000,
    ],
    [
      'a registration, which two limits count',
      post('/api/register'),
      `"register";q=30;w=60, ${perHour}`,
      '"register";r=29;t=2, "register-hour";r=199;t=18',
      '30',
      2000,
    ],
    ['a missing credential', get('/api/v1/me'), '"anon";q=120;w=60', '"anon";r=119;t=1', '120', 500],
    [
      'a missing one of the administrator',
      get('/api/v1/admin/dashboard'),
      '"anon";q=120;w=60',
      '"anon";r=119;t=1',
      '120',
      500,
    ],
  ] as const;
  for (const [name, send, policy, state, limit, fullAfterMs] of anonymous) {
    test(`limit headers describe ${name} in both families, with the reset in epoch seconds`, async () => {
      const { headers } = await send();
      const [shownPolicy, shownState, shownLimit, remaining, reset] = limitFields(headers);
      assert.deepEqual([shownPolicy, shownState, shownLimit], [policy, state, limit]);
      assert.equal(remaining, String(Number(limit) - 1));
      assert.equal(reset, String(Math.ceil((clock.now + fullAfterMs) / 1000)));
    });
  }

  test('limit headers are not sent to the administrator, who has no limit', async () => {
    for (const path of ['/api/v1/users', '/api/v1/admin/dashboard', '/api/v1/users/unknown']) {
      assertNoLimitFields((await get(path)(ADMIN_TOKEN)).headers);
    }
    const response = await post('/api/v1/users')(ADMIN_TOKEN);
    assert.equal(response.status, 400);
    assertNoLimitFields(response.headers);
  });
});

describeOnSqlite('limit headers of a user', (engine) => {
  // On a real clock, a slow machine would give a request back in between.
  const service = useService(engine, limited({}, { clock: manualClock(Date.now()) }));

  test('limit headers of a user count per user id from any network, and a created record also per network', async () => {
    const { token } = await insertLoggedInUser(service.service.database);
    const fromAnywhere = () => fromIp(newClientIp(), { token });
    const responses = [
      await service.api.get('/api/v1/me', fromAnywhere()),
      await service.api.get('/api/v1/users', fromAnywhere()),
      await service.api.post('/api/v1/users', EMPTY, fromAnywhere()),
    ];
    assert.deepEqual(
      responses.map(({ headers }) => limitFields(headers).slice(0, 4)),
      [
        ['"user";q=600;w=60', '"user";r=599;t=1', '600', '599'],
        ['"user";q=600;w=60', '"user";r=598;t=1', '600', '598'],
        [
          `"user";q=600;w=60, "write";q=1200;w=60, ${CREATE}`,
          '"user";r=597;t=1, "write";r=1199;t=1, "create";r=59;t=1, "create-hour";r=199;t=18, "create-day";r=499;t=173',
          '60',
          '59',
        ],
      ],
    );
  });
});
