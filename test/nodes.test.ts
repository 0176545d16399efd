import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from './support/engines.ts';
import { type ServiceProcess, startProcess } from './support/process.ts';
import { newPerson } from './support/service.ts';

const SECRET_KEY = 'the-one-secret-of-all-nodes-of-this-database';

describe('two nodes that start together on a new PostgreSQL database', () => {
  let testDatabase: TestDatabase;
  let one: ServiceProcess;
  let other: ServiceProcess;
  before(async () => {
    testDatabase = await createTestDatabase('postgres');
    const start = () => startProcess(testDatabase, { SECRET_KEY });
    [one, other] = await Promise.all([start(), start()]);
  });
  after(async () => {
    const endings = await Promise.all([one.kill('SIGTERM'), other.kill('SIGTERM')]);
    await testDatabase.remove();
    assert.deepEqual(
      endings.map(({ code }) => code),
      [0, 0],
    );
  });

  test('are both ready', async () => {
    for (const { api } of [one, other]) assert.equal((await api.get('/readyz')).status, 200);
  });

  test('know each other\u2019s people and tokens, and a logout on one is a logout on all', async () => {
    const person = newPerson();
    const token = (await one.api.post('/api/register', person)).body.access_token;
    assert.equal((await other.api.get('/api/v1/me', { token })).body.data.email, person.email);
    const second = (await other.api.post('/api/login', person)).body.access_token;
    assert.equal((await one.api.get('/api/v1/me', { token: second })).status, 200);
    assert.equal((await other.api.post('/api/logout', undefined, { token })).status, 200);
    for (const { api } of [one, other]) {
      assert.equal((await api.get('/api/v1/me', { token })).status, 401);
      assert.equal((await api.get('/api/v1/me', { token: second })).status, 200);
    }
  });

  test('give an address to one of those who register it on both at once', async () => {
    const person = newPerson();
    const answers = await Promise.all(
      [one, other, one, other].map(({ api }) => api.post('/api/register', person)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  });
});
