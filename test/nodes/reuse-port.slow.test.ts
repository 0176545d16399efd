/** Two processes on one port: both serve, and one of them can be stopped and started under load. */
import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { after, before, test } from 'node:test';
import { type ServiceProcess, startProcess } from '../support/processes/process.ts';
import { createTestDatabase, describeOnPostgres, type TestDatabase } from '../support/runner/engines.ts';
import { ADMIN_TOKEN, newUserData } from '../support/service.ts';

const REQUESTS = 100_000;
const CONNECTIONS = 32;
const SETTINGS = {
  SECRET_KEY: 'the-common-secret-of-all-nodes-of-a-database',
  REUSE_PORT: 'on',
  SHUTDOWN_DELAY_SECONDS: '1',
  LOG_LEVEL: 'warn',
};

/** Sends a GET request and resolves to its status and body; to the code of the error if there is no response. */
function send(port: string, path: string, { token, agent }: { token: string; agent: Agent | false }) {
  return new Promise<{ result: number | string; text: string }>((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    const request = get({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', (error: NodeJS.ErrnoException) => resolve({ result: error.code!, text }));
      response.on('end', () => resolve({ result: response.statusCode!, text }));
    });
    request.on('error', (error: NodeJS.ErrnoException) => resolve({ result: error.code!, text: '' }));
  });
}

describeOnPostgres('two processes on one port', () => {
  let testDatabase: TestDatabase;
  let processes: ServiceProcess[];
  let port: string;
  before(async () => {
    testDatabase = await createTestDatabase('postgres');
    const first = await startProcess(testDatabase, SETTINGS);
    port = new URL(first.api.url).port;
    processes = [first, await startProcess(testDatabase, { ...SETTINGS, PORT: port })];
  });
  after(async () => {
    await Promise.all(processes.map((each) => each.kill('SIGTERM')));
    await testDatabase.remove();
  });

  test('two processes on one port both serve new connections', async () => {
    const starts = new Set<string>();
    for (let count = 0; count < 100; count++) {
      const { text } = await send(port, '/api/v1/admin/status', { token: ADMIN_TOKEN, agent: false });
      starts.add(JSON.parse(text).data.started_at);
    }
    assert.equal(starts.size, 2);
  });

  test('two processes on one port lose no request of 100,000 while one after the other is stopped and started', async (context) => {
    const { body } = await processes[0]!.api.post('/api/register', newUserData());
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const results = new Map<number | string, number>();
    let left = REQUESTS;
    const sendMany = async () => {
      while (left-- > 0) {
        const { result } = await send(port, '/api/v1/me', { token: body.access_token, agent });
        results.set(result, (results.get(result) ?? 0) + 1);
      }
    };
    const load = Promise.all(Array.from({ length: CONNECTIONS }, sendMany));
    let restarts = 0;
    for (; left > 0; restarts++) {
      const index = restarts % 2;
      const { code } = await processes[index]!.kill('SIGTERM');
      assert.equal(code, 0);
      processes[index] = await startProcess(testDatabase, { ...SETTINGS, PORT: port });
    }
    await load;
    agent.destroy();
    context.diagnostic(`${restarts} restarts`);
    assert.ok(restarts >= 2, `${restarts}`);
    assert.deepEqual([...results], [[200, REQUESTS]]);
  });
});
