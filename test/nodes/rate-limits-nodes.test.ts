import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromIp, limited, newClientIp } from '../support/limits.ts';
import { describeOnPostgres } from '../support/runner/engines.ts';
import { ADMIN_TOKEN, newUserData, type TestService, useNodes } from '../support/service.ts';
import { register } from '../support/users.ts';

/** Restores its quota so slowly that the duration of the test does not matter. */
const SLOW = '10/36000';

describeOnPostgres('two nodes on one PostgreSQL database', () => {
  const names = ['ANON', 'CREATE', 'REGISTER', 'LOGIN', 'DOCUMENTS'];
  const nodes = useNodes(limited(Object.fromEntries(names.map((name) => [`RATE_LIMIT_${name}`, SLOW]))));

  async function statuses(
    times: number,
    send: (node: TestService) => Promise<{ status: number }>,
  ): Promise<number[]> {
    const responses = Array.from({ length: times }, (_, index) => send(nodes[index % 2]!));
    return (await Promise.all(responses)).map(({ status }) => status);
  }

  for (const path of ['/api/v1/users', '/api/register', '/api/login']) {
    test(`two nodes admit as many requests to POST ${path} together as one node alone`, async () => {
      const client = fromIp(newClientIp());
      const seen = await statuses(30, ({ api }) => api.post(path, {}, client));
      assert.equal(seen.filter((status) => status === 429).length, 20);
    });
  }

  test('two nodes count requests for documents separately, without the database', async () => {
    const client = fromIp(newClientIp());
    const seen = await statuses(30, ({ api }) => api.get('/docs/problems', client));
    assert.equal(seen.filter((status) => status === 429).length, 10);
  });

  test('two nodes count wrong administrator credentials together', async () => {
    const address = newClientIp();
    const open = ({ api }: TestService, token: string) =>
      api.get('/api/v1/admin/dashboard', fromIp(address, { token }));
    for (let attempt = 0; attempt < 10; attempt++)
      assert.equal((await open(nodes[attempt % 2]!, 'wrong')).status, 401);
    for (const node of nodes) {
      assert.equal((await open(node, 'wrong')).status, 429);
      assert.equal((await open(node, ADMIN_TOKEN)).status, 200);
    }
  });

  test('two nodes admit 4 times the quota of concurrent creations from the networks of a /56 together', async () => {
    let sent = 0;
    const create = ({ api }: TestService) =>
      api.post('/api/v1/users', {}, fromIp(`2001:db8:4:${(sent++ % 25).toString(16)}::1`));
    const seen: number[] = [];
    // In groups: many that wait for the same rows could exceed the limit of waiting for a lock.
    for (let group = 0; group < 4; group++) seen.push(...(await statuses(20, create)));
    assert.equal(seen.filter((status) => status === 201).length, 40);
  });

  test('two nodes count failed logins together, and a login on one node resets both', async () => {
    const { email, password } = newUserData();
    const account = await register(nodes[0]!, { name: 'Ada', email, password });
    const address = newClientIp();
    const logIn = (node: TestService, sent: string) =>
      node.api.post('/api/login', { email: account.email, password: sent }, fromIp(address));
    for (let round = 0; round < 2; round++) {
      for (let attempt = 0; attempt < 4; attempt++) {
        assert.equal((await logIn(nodes[attempt % 2]!, 'a wrong password')).status, 401);
      }
      if (round === 0) assert.equal((await logIn(nodes[1]!, password)).status, 200);
    }
    assert.equal((await logIn(nodes[0]!, 'a wrong password')).status, 401);
  });

  test('two nodes count reads separately', async () => {
    const client = fromIp(newClientIp());
    const seen = await statuses(30, ({ api }) => api.get('/api/v1/users', client));
    assert.equal(seen.filter((status) => status === 429).length, 10);
  });
});
