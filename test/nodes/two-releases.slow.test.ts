/** This release and the next one beside each other on PostgreSQL, while clients use both. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Api, ApiResponse } from '../support/api.ts';
import { openTestDatabase } from '../support/database.ts';
import { NEXT_RELEASE, NEXT_SCHEMA } from '../support/next-release/next-release.ts';
import { runToEnd, type ServiceProcess, startCheapProcess } from '../support/processes/process.ts';
import { describeOnPostgres } from '../support/runner/engines.ts';
import { admin, newUserData } from '../support/service.ts';

const REQUESTS = 100_000;
const CLIENTS = 16;
const SECRET_KEY = 'the-common-secret-of-both-releases';

/** Nodes that get requests, and the number of requests so far. */
class Cluster {
  readonly #nodes: ServiceProcess[] = [];
  readonly failures: string[] = [];
  requests = 0;
  #isStopped = false;

  get #api(): Api {
    return this.#nodes[this.requests % this.#nodes.length]!.api;
  }

  /** Starts a node and lets it serve requests. */
  async add(starting: Promise<ServiceProcess>): Promise<void> {
    this.#nodes.push(await starting);
  }

  /** Stops the oldest node as an operator does: the load balancer first sends no more requests there. */
  async remove(): Promise<void> {
    const { code, lines } = await this.#nodes.shift()!.kill('SIGTERM');
    assert.equal(code, 0);
    this.failures.push(...lines.filter((line) => /"level":[56]0/.test(line)));
  }

  /** Uses accounts until the cluster is stopped, each request on another node. */
  async useAccounts(): Promise<void> {
    while (!this.#isStopped) {
      const user = newUserData();
      const token = (await this.#expect(201, (api) => api.post('/api/register', user)))?.body.access_token;
      for (let repetition = 0; repetition < 20; repetition++)
        await this.#expect(200, (api) => api.get('/api/v1/me', { token }));
      const change = { token, headers: { 'if-match': '*' } };
      await this.#expect(200, (api) => api.patch('/api/v1/me', { name: 'Ada' }, change));
      await this.#expect(200, (api) => api.post('/api/login', user));
      await this.#expect(401, (api) => api.post('/api/login', { ...user, password: 'wrong password' }));
      await this.#expect(200, (api) => api.get('/api/v1/users?limit=5', admin));
      await this.#expect(200, (api) => api.get('/api/v1/events?limit=5', admin));
      await this.#expect(200, (api) => api.post('/api/logout', undefined, { token }));
    }
  }

  async #expect(status: number, send: (api: Api) => Promise<ApiResponse>): Promise<ApiResponse | null> {
    this.requests++;
    try {
      const response = await send(this.#api);
      if (response.status !== status) this.failures.push(`${response.status}: ${response.text}`);
      return response;
    } catch (error) {
      this.failures.push(String(error));
      return null;
    }
  }

  /** Runs the steps one after the other, with the same share of the requests before each of them. */
  async runUnderLoad(steps: readonly (() => Promise<void>)[]): Promise<void> {
    const clients = Array.from({ length: CLIENTS }, () => this.useAccounts());
    const share = REQUESTS / (steps.length + 1);
    for (const [index, step] of [...steps, async () => {}].entries()) {
      while (this.requests < share * (index + 1)) await new Promise((resolve) => setTimeout(resolve, 20));
      await step();
    }
    this.#isStopped = true;
    await Promise.all(clients);
    assert.deepEqual(this.failures.slice(0, 5), [], `${this.failures.length} of ${this.requests} failed`);
  }
}

describeOnPostgres('two releases beside each other', () => {
  const prepare = async (context: TestContext) => {
    const testDatabase = await openTestDatabase(context, 'postgres');
    const start = (release: Record<string, string>) =>
      startCheapProcess(testDatabase, { SECRET_KEY, ...release });
    return { cluster: new Cluster(), start };
  };

  test('two releases serve every request while the later one replaces the earlier one, and the reverse', async (context) => {
    const { cluster, start } = await prepare(context);
    await cluster.add(start({}));
    await cluster.runUnderLoad([
      () => cluster.add(start(NEXT_RELEASE)),
      () => cluster.remove(),
      () => cluster.add(start({})),
      () => cluster.remove(),
    ]);
    await cluster.remove();
  });

  test('the tests of accounts and tokens pass on the schema of the next release', async () => {
    const files = globSync('src/features/people/**/*.test.ts').filter(
      // One compares a whole row, with the columns of the next release.
      (file) => !/\.(slow|browser|process)\.test|issue-token/.test(file),
    );
    assert.ok(files.length > 20);
    const { PATH = '', HOME = '' } = process.env;
    const environment = { PATH, HOME, [NEXT_SCHEMA]: 'on', TEST_ENGINES: 'sqlite,postgres' };
    const { code, lines } = await runToEnd(['test/run.ts', ...files], environment);
    assert.equal(code, 0, lines.slice(-100).join('\n'));
    assert.ok(lines.some((line) => /^ℹ pass [1-9]\d\d/.test(line)));
  });
});
