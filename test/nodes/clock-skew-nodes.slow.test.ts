import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type Database, sql } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { addFailedLogins } from '../../src/features/activity/queries.ts';
import { claimRequest, completeClaim } from '../../src/idempotency/queries.ts';
import { newId } from '../../src/lib/secrets/ids.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/time.ts';
import { fromConsole, signIn } from '../support/browser/console-session.ts';
import { newUserData } from '../support/environment.ts';
import { keyed, newKey, ONE_ACCOUNT, readTally, replayed, watchTally } from '../support/keyed.ts';
import { fromIp, newClientIp } from '../support/limits.ts';
import { type ServiceProcess, startProcess } from '../support/processes/process.ts';
import { createTestDatabase, describeOnPostgres, type TestDatabase } from '../support/runner/engines.ts';
import { until } from '../support/until.ts';
import { insertTestToken, insertTestUser } from '../support/users.ts';

const SECRET_KEY = 'the-common-secret-of-all-nodes-of-a-database';

/** Differences of the nodes' own clocks from the real time. */
const SKEWS = {
  'is right': 0,
  'is 40 s behind': -40_000,
  'is 62 min ahead': 62 * MINUTE,
  'is 2 days behind': -2 * DAY,
};
type Skew = keyof typeof SKEWS;

describeOnPostgres('nodes on one PostgreSQL database whose clocks differ', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let administrator: pg.Client;
  const nodes = {} as Record<Skew, ServiceProcess>;

  before(async () => {
    testDatabase = await createTestDatabase('postgres');
    const start = async (skew: Skew) => {
      nodes[skew] = await startProcess(testDatabase, {
        SECRET_KEY,
        TOKEN_LIFETIME_DAYS: '1',
        RATE_LIMITS: 'on',
        RATE_LIMIT_REGISTER: 'off',
        RATE_LIMIT_REGISTER_HOUR: '5/3600',
        TRUST_PROXY: '127.0.0.1',
        TEST_CLOCK_SKEW_MS: String(SKEWS[skew]),
        NODE_OPTIONS: `--import=${join(import.meta.dirname, '../support/processes/skewed-clock.ts')}`,
      });
    };
    await Promise.all((Object.keys(SKEWS) as Skew[]).map(start));
    const { url: databaseUrl, directory: dataDir } = testDatabase;
    database = openDatabase({ databaseUrl, dataDir, databasePool: 2 });
    administrator = new pg.Client({ connectionString: testDatabase.url! });
    await administrator.connect();
  });
  after(async () => {
    await Promise.all(Object.values(nodes).map((node) => node.kill('SIGTERM')));
    await administrator.end();
    await database.close();
    await testDatabase.remove();
  });

  /** The register request of a new user from a new network, with a key. */
  const registration = () => {
    const [user, request] = [newUserData(), fromIp(newClientIp(), keyed(newKey()))];
    return (skew: Skew) => nodes[skew].api.post('/api/register', user, request);
  };

  for (const [owner, other] of [
    ['is 40 s behind', 'is right'],
    ['is 40 s behind', 'is 62 min ahead'],
    ['is right', 'is 62 min ahead'],
  ] as const) {
    test(`a registration on the node that ${owner} keeps its claim when the node that ${other} gets its retry`, async () => {
      const register = registration();
      const added = await watchTally(database);
      // Holds the registration between its claim and its end.
      await administrator.query('begin; lock table users in share row exclusive mode');
      const first = register(owner);
      await until(async () => (await readTally(database)).claims > 0, 'the registration has its claim');
      const retry = await register(other);
      await administrator.query('rollback');
      const { status, text } = await first;
      assert.deepEqual([retry.status, retry.body.code], [409, 'idempotency_key_in_use']);
      assert.equal(status, 201, text);
      for (const skew of [owner, other]) {
        const replay = await register(skew);
        assert.equal(replayed(replay), 'true');
        assert.equal(replay.text, text);
      }
      assert.deepEqual(await added(), ONE_ACCOUNT);
    });
  }

  test('nodes with different clocks accept tokens of a node that is further behind than the lifetime of tokens', async () => {
    const { body } = await nodes['is 2 days behind'].api.post(
      '/api/register',
      newUserData(),
      fromIp(newClientIp()),
    );
    for (const { api } of Object.values(nodes))
      assert.equal((await api.get('/api/v1/me', { token: body.access_token })).status, 200);
  });

  test('nodes with different clocks accept sessions of the console that began on any of them', async () => {
    for (const node of Object.values(nodes)) {
      const cookie = await signIn(node);
      for (const { api } of Object.values(nodes))
        assert.equal((await api.get('/api/v1/admin/dashboard', fromConsole(cookie))).status, 200);
    }
  });

  test('nodes with different clocks store the same time for simultaneous changes', async () => {
    for (const { api } of Object.values(nodes)) {
      const { body } = await api.post('/api/register', newUserData(), fromIp(newClientIp()));
      const { data } = (await api.get('/api/v1/me', { token: body.access_token })).body;
      const difference = Date.parse(data.created_at) - Date.now();
      assert.ok(Math.abs(difference) < 10_000, `${difference}`);
    }
  });

  test('nodes with different clocks log one warning with the difference, unless it is small', async () => {
    for (const [skew, skewMs] of Object.entries(SKEWS)) {
      const { api, output } = nodes[skew as Skew];
      // The warning comes before the lines of requests.
      await api.get('/livez');
      await until(() => output().includes('"route":"/livez"'), 'the request is logged');
      const warnings = [...output().matchAll(/"clock_skew_ms":(-?\d+)/g)].map(([, value]) => Number(value));
      assert.equal(warnings.length, skewMs === 0 ? 0 : 1);
      // Less than the differences; the reading of a busy machine is late.
      for (const warning of warnings) assert.ok(Math.abs(warning - skewMs) < 10_000, `${warning}`);
    }
  });

  test('nodes with different clocks delete nothing that is still valid during a cleanup of a node that is ahead', async () => {
    const now = Date.now();
    const soon = now + HOUR / 2;
    const { id } = await insertTestUser(database);
    const token = await insertTestToken(database, id, { expiresAt: soon });
    await storeClaims(database, soon);
    const before = await readTally(database);
    const client = fromIp(newClientIp());
    const register = (skew: Skew) => nodes[skew].api.post('/api/register', {}, client);
    for (let count = 0; count < 5; count++) assert.equal((await register('is right')).status, 400);
    assert.equal((await register('is right')).status, 429);
    await hourlyWork('is 62 min ahead', now);
    assert.equal((await nodes['is right'].api.get('/api/v1/me', { token: token.token })).status, 200);
    const { claims, responses } = await readTally(database);
    assert.deepEqual({ claims, responses }, { claims: before.claims, responses: before.responses });
    for (const skew of ['is right', 'is 62 min ahead'] as const)
      assert.equal((await register(skew)).status, 429);
  });

  /** Makes a node clean up, and waits until it has deleted a row of the last kind. */
  async function hourlyWork(skew: Skew, now: number): Promise<void> {
    const old = Math.floor((now - 365 * DAY) / MINUTE);
    await database.transaction((tx) => addFailedLogins(tx, [[old, 1]]));
    nodes[skew].signal('SIGUSR2');
    await until(async () => (await database.all(OLD_FAILURES, old)).length === 0, 'old failures are deleted');
  }
});

const OLD_FAILURES = sql('select minute from failed_logins where minute = $1');

/** Stores a claim and a response that expire at this time. */
async function storeClaims(database: Database, expiresAt: number): Promise<void> {
  const times = { now: 0, leaseUntil: expiresAt, expiresAt };
  await database.transaction(async (tx) => {
    for (const key of ['claim', 'response']) {
      const identity = { route: 'POST /', keyHash: key, scope: 'anonymous', origin: 'one', fingerprint: key };
      const id = newId();
      await claimRequest(tx, { id, ...identity, ...times });
      if (key === 'response')
        await completeClaim(tx, id, { salt: new Uint8Array(1), sealed: new Uint8Array(1) });
    }
  });
}
