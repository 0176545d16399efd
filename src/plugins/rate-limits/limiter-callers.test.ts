/** Tests whose requests a limit counts together: clients behind proxies, credentials of the administrator, users, networks. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiRequest } from '../../../test/support/api.ts';
import { createCredential } from '../../../test/support/credentials.ts';
import {
  assertNoLimitFields,
  fromIp,
  limited,
  limitFields,
  newClientIp,
} from '../../../test/support/limits.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { insertLoggedInUser } from '../../../test/support/users.ts';
import { newToken } from '../../lib/secrets/tokens.ts';

const DASHBOARD = '/api/v1/admin/dashboard';
const USERS = '/api/v1/users';

describe('rate limits of clients behind proxies', () => {
  const limit = { RATE_LIMIT_ANON: '2/3600' };
  const services = {
    'without a trusted proxy': useService('sqlite', { environment: { RATE_LIMITS: 'on', ...limit } }),
    'of a trusted proxy': useService('sqlite', limited(limit)),
  };
  const REJECTED = 'rejected';

  for (const [title, name, sent] of [
    [
      'is ignored',
      'without a trusted proxy',
      { '192.0.2.1': '1', '192.0.2.2': '0', '192.0.2.3': REJECTED, '192.0.2.4': REJECTED },
    ],
    ['names clients, each counted separately', 'of a trusted proxy', { '192.0.2.1': '1', '192.0.2.2': '1' }],
    [
      'names the client by the nearest untrusted address, not by one that it claims',
      'of a trusted proxy',
      { '6.6.6.1, 192.0.2.30': '1', '6.6.6.2, 192.0.2.30': '0', '6.6.6.3, 192.0.2.30': REJECTED },
    ],
    [
      'without an address is counted as a client of its own',
      'of a trusted proxy',
      { unknown: '1', "'; drop table users": '1', ' unknown': '0', 'unknown ': REJECTED },
    ],
  ] as const) {
    test(`X-Forwarded-For ${name} ${title}`, async () => {
      for (const [forwardedFor, expected] of Object.entries(sent)) {
        const { status, headers } = await services[name].api.get(USERS, fromIp(forwardedFor));
        const remaining = status === 429 ? REJECTED : headers.get('x-ratelimit-remaining');
        assert.equal(remaining, expected, forwardedFor);
      }
    });
  }

  test('X-Forwarded-For without a trusted proxy is warned of once in the log', () => {
    const list = ({ log }: { readonly log: readonly { msg?: unknown; level?: unknown }[] }) =>
      log.filter(({ msg }) => /X-Forwarded-For is ignored/.test(String(msg))).map(({ level }) => level);
    assert.deepEqual(list(services['without a trusted proxy']), [40]);
    assert.deepEqual(list(services['of a trusted proxy']), []);
  });
});

describe('wrong credentials', () => {
  const service = useService('sqlite', limited());
  const open = (address: string, token: string) => service.api.get(DASHBOARD, fromIp(address, { token }));

  test('wrong administrator credentials are rejected with 429 after ten from one network, and the right one is not', async () => {
    const address = newClientIp();
    // Concurrent ones are not admitted more often.
    const responses = await Promise.all(Array.from({ length: 40 }, () => open(address, 'wrong')));
    assert.equal(responses.filter(({ status }) => status === 401).length, 10);
    for (const { headers } of responses) assertNoLimitFields(headers);
    const { status, headers, body } = await open(address, 'wrong');
    assert.equal(status, 429);
    assert.deepEqual(body, { error: 'Too many requests', code: 'rate_limited_admin_fail' });
    const seconds = Number(headers.get('retry-after'));
    assert.ok(Number.isInteger(seconds) && seconds > 80 && seconds <= 90, String(seconds));
    for (let request = 0; request < 15; request++)
      assert.equal((await open(address, ADMIN_TOKEN)).status, 200);
    assert.equal((await open(newClientIp(), 'wrong')).status, 401);
  });

  test('wrong administrator credentials count together over all operations that accept them, in any format', async () => {
    const address = newClientIp();
    const { token } = await insertLoggedInUser(service.database);
    const send = (method: string, path: string, authorization: string) =>
      service.api.request(method, path, fromIp(address, { headers: { authorization } }));
    const attempts: [method: string, path: string, authorization: string][] = [
      ['GET', USERS, 'Bearer wrong'],
      ['POST', USERS, `Bearer ${ADMIN_TOKEN}x`],
      ['GET', `${USERS}/some`, `bearer ${ADMIN_TOKEN}x`],
      ['GET', USERS, 'Basic YTpi'],
      ['GET', DASHBOARD, `Bearer ${token}`],
    ];
    for (const attempt of [...attempts, ...attempts]) {
      const { status, headers } = await send(...attempt);
      assert.equal(status, 401);
      assertNoLimitFields(headers);
    }
    for (const [method, path] of [
      ['GET', USERS],
      ['GET', DASHBOARD],
      ['POST', USERS],
    ] as const)
      assert.equal((await send(method, path, 'Bearer wrong')).body.code, 'rate_limited_admin_fail');
    assert.equal((await send('GET', USERS, `Bearer ${ADMIN_TOKEN}`)).status, 200);
    // Requests without a credential are anonymous ones.
    const anonymous = await service.api.get(DASHBOARD, fromIp(address));
    assert.deepEqual([anonymous.status, anonymous.headers.get('x-ratelimit-remaining')], [401, '119']);
  });
});

describe('wrong tokens of users', () => {
  const service = useService('sqlite', limited({ RATE_LIMIT_ANON: '3/60' }));

  test('wrong user tokens count as anonymous requests of their network, while the right token is admitted', async () => {
    const address = newClientIp();
    const { token } = await insertLoggedInUser(service.database);
    const send = (path: string, sent: string) => service.api.get(path, fromIp(address, { token: sent }));
    for (const [path, status, state] of [
      ['/api/v1/me', 401, '"anon";r=2'],
      [USERS, 401, '"anon";r=1'],
      [`${USERS}/some`, 401, '"anon";r=0'],
      ['/api/v1/me', 429, '"anon";r=0'],
      [USERS, 429, '"anon";r=0'],
    ] as const) {
      const response = await send(path, newToken());
      const seen = [response.status, limitFields(response.headers)[1]?.replace(/;t=\d+$/, '')];
      assert.deepEqual(seen, [status, state]);
    }
    assert.equal((await service.api.get(USERS, fromIp(address))).body.code, 'rate_limited_anon');
    for (const [path, sent] of [
      ['/api/v1/me', token],
      [USERS, token],
      [USERS, ADMIN_TOKEN],
    ] as const)
      assert.equal((await send(path, sent)).status, 200);
  });
});

describeOnEachEngine('requests with a named credential', (engine) => {
  const limits = { RATE_LIMIT_CREDENTIAL_WRITE: '2/60', RATE_LIMIT_CREDENTIAL_READ: '3/60' };
  const service = useService(engine, limited(limits));
  const read = (token: string, method = 'GET') => service.api.request(method, DASHBOARD, { token });
  const write = (token: string, _method?: string) => service.api.patch('/api/v1/users/some', {}, { token });

  test('requests with a named credential are limited per credential, writes and reads apart, also those of owners', async () => {
    const [one, two] = [
      await createCredential(service, ['admin']),
      await createCredential(service, ['admin']),
    ];
    for (const [send, name, quota, status] of [
      [write, 'credential-write', 2, 428],
      [read, 'credential-read', 3, 200],
    ] as const) {
      for (let remaining = quota - 1; remaining >= 0; remaining--) {
        const response = await send(one.secret, remaining === 1 ? 'HEAD' : 'GET');
        const [policy, state] = limitFields(response.headers);
        assert.deepEqual([response.status, policy], [status, `"${name}";q=${quota};w=60`]);
        assert.match(state!, new RegExp(`^"${name}";r=${remaining};`));
      }
      const { body, headers } = await send(one.secret);
      assert.equal(body.code, `rate_limited_${name.replace('-', '_')}`);
      assert.ok(Number(headers.get('retry-after')) > 0);
      assert.equal((await send(two.secret)).status, status);
    }
  });
});

describe('limits of users and of the networks of users', () => {
  const TOKENS = '/api/v1/tokens';
  const service = useService(
    'sqlite',
    limited({ RATE_LIMIT_TOKEN_CREATE: '3/3600', RATE_LIMIT_WRITE: '3/60' }),
  );
  const newUser = async () => (await insertLoggedInUser(service.database)).token;
  const post = (path: string, token: string, clientIp = newClientIp()) =>
    service.api.post(path, { name: 'robot' }, fromIp(clientIp, { token }));
  const rename = (clientIp: string, token: string) =>
    service.api.patch('/api/v1/me', { name: 'Ada' }, fromIp(clientIp, { token }));

  test('RATE_LIMIT_TOKEN_CREATE counts created and rotated tokens of a user together, from any network, and nothing else', async () => {
    const token = await newUser();
    const created = await post(TOKENS, token);
    assert.match(created.headers.get('ratelimit-policy')!, /"token-create";q=3;w=3600/);
    const { id } = (await post(`${TOKENS}/${created.body.data.id}/rotate`, token)).body.data;
    assert.equal((await post(TOKENS, token)).status, 201);
    for (const path of [TOKENS, `${TOKENS}/${id}/rotate`]) {
      const { status, body, headers } = await post(path, token);
      assert.deepEqual([status, body.code], [429, 'rate_limited_token_create']);
      assert.ok(Number(headers.get('retry-after')) > 1_000);
    }
    assert.equal((await post(TOKENS, await newUser())).status, 201);
    assert.equal((await rename(newClientIp(), token)).status, 200);
    assert.equal((await service.api.post(TOKENS, {}, fromIp(newClientIp()))).status, 401);
  });

  test('RATE_LIMIT_WRITE counts the writes of all users of a network, but no reads and no writes without a token', async () => {
    const clientIp = newClientIp();
    const token = await newUser();
    const unlimited: [path: string, request: ApiRequest, status: number][] = [
      ['/api/v1/me', { token }, 200],
      [USERS, { body: {} }, 201],
    ];
    for (const [path, request, status] of [...unlimited, ...unlimited]) {
      const method = 'body' in request ? 'POST' : 'GET';
      assert.equal((await service.api.request(method, path, fromIp(clientIp, request))).status, status);
    }
    for (let write = 0; write < 3; write++) {
      const { status, headers } = await rename(clientIp, await newUser());
      assert.equal(status, 200);
      assert.match(headers.get('ratelimit-policy')!, /"write";q=3;w=60/);
    }
    assert.equal((await rename(clientIp, token)).body.code, 'rate_limited_write');
    assert.equal((await rename(newClientIp(), token)).status, 200);
  });
});
