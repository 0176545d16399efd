import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import pg from 'pg';
import { fromIp, limited, newClientIp } from '../../../test/support/limits.ts';
import { pluck } from '../../../test/support/pluck.ts';
import {
  assertHealth,
  assertOutage,
  assertRecovers,
  assertWorks,
  read,
  write,
} from '../../../test/support/processes/outage.ts';
import { type PostgresServer, startPostgres } from '../../../test/support/processes/postgres-server.ts';
import {
  createCurrentDatabase,
  createTestDatabase,
  describeOnPostgres,
  postgresUrl,
  type TestDatabase,
} from '../../../test/support/runner/engines.ts';
import {
  ADMIN_TOKEN,
  newUserData,
  openService,
  startService,
  type TestService,
} from '../../../test/support/service.ts';
import { insertLoggedInUser } from '../../../test/support/users.ts';

const FIELDS = { fields: [{ label: 'first_name', type: 'text', is_required: true }] };

describeOnPostgres('requests while PostgreSQL is unavailable', () => {
  let server: PostgresServer;
  let service: TestService;
  before(async () => {
    server = await startPostgres();
    const directory = (await createTestDatabase('sqlite')).directory;
    const testDatabase: TestDatabase = { url: server.url, directory, remove: async () => {} };
    service = await startService('postgres', { testDatabase });
  });
  after(async () => {
    await service.stop();
    await server.stop();
  });

  test('reads and writes get 503 while PostgreSQL is unavailable, and work again without a restart afterwards', async () => {
    const { body } = await service.api.post('/api/register', newUserData());
    const token = body.access_token;
    await assertWorks(service.api);
    await server.pause();
    assertOutage(await read(service.api));
    assertOutage(await write(service.api));
    assertOutage(await service.api.get('/api/v1/me', { token }));
    assertOutage(await service.api.post('/api/register', newUserData()));
    await assertHealth(service.api, { livez: 200, readyz: 503 });
    await server.resume();
    await assertRecovers(service.api);
    assert.equal((await service.api.get('/api/v1/me', { token })).status, 200);
  });

  test('requests in progress succeed completely or get 503 when PostgreSQL becomes unavailable', async () => {
    const users = Array.from({ length: 30 }, newUserData);
    const responses = Promise.all(users.map((user) => service.api.post('/api/register', user)));
    await server.pause();
    const statuses = (await responses).map(({ status }) => status);
    await server.resume();
    await assertRecovers(service.api);
    for (const [index, { email, password }] of users.entries()) {
      assert.ok([201, 503].includes(statuses[index]!), `status ${statuses[index]}`);
      if (statuses[index] !== 201) continue;
      assert.equal((await service.api.post('/api/login', { email, password })).status, 200);
    }
  });

  test('shared limits reject writes and authenticated requests with 503 without PostgreSQL, but not anonymous reads', async (context) => {
    const limiting = await openService(context, 'postgres', {
      ...limited(),
      testDatabase: service.testDatabase,
    });
    const { api } = limiting;
    const { token } = await insertLoggedInUser(service.database);
    await server.pause();
    assertOutage(await api.post('/api/login', newUserData()));
    assertOutage(await api.post('/api/register', newUserData()));
    assertOutage(await api.post('/api/v1/users', {}));
    assertOutage(await api.get('/api/v1/me', { token }));
    for (const token of [ADMIN_TOKEN, 'wrong']) {
      assertOutage(await api.get('/api/v1/admin/dashboard', { token }));
    }
    const client = fromIp(newClientIp());
    const open = [
      await api.post('/api/v1/form-fields/validate', FIELDS, client),
      await api.get('/api/v1/users', client),
      await api.get('/api/v1/users/some', client),
    ];
    assert.deepEqual(pluck(open, 'status'), [200, 200, 200]);
    assert.deepEqual(
      open.map(({ headers }) => headers.get('x-ratelimit-remaining')),
      ['119', '118', '117'],
    );
    await server.resume();
    await assertRecovers(api);
    assert.equal((await api.get('/api/v1/me', { token })).status, 200);
    assert.equal((await api.post('/api/v1/users', {})).status, 201);
  });
});

describeOnPostgres('connections that PostgreSQL closes', () => {
  let testDatabase: TestDatabase;
  let service: TestService;
  let administrator: pg.Client;
  const others = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
  const endConnections = () => administrator.query(`select pg_terminate_backend(pid) ${others}`);
  before(async () => {
    testDatabase = await createCurrentDatabase('postgres');
    service = await startService('postgres', { testDatabase });
    administrator = new pg.Client({ connectionString: testDatabase.url! });
    await administrator.connect();
  });
  after(async () => {
    await service.stop();
    await administrator.end();
    await testDatabase.remove();
  });
  afterEach(() => assertRecovers(service.api));

  test('closed PostgreSQL connections cost at most one 503 each when they were idle', async () => {
    await Promise.all(Array.from({ length: 10 }, () => write(service.api)));
    const ended = (await endConnections()).rowCount!;
    assert.notEqual(ended, 0);
    const statuses: number[] = [];
    for (let index = 0; index <= ended; index++) statuses.push((await read(service.api)).status);
    assert.match(statuses.join(), /^(503,)*200(,200)*$/);
  });

  test('closed PostgreSQL connections make reads and writes fail with 503 while no new ones can be opened', async () => {
    // Connected to another database, because the current one cannot be closed to connections.
    const outside = new pg.Client({ connectionString: postgresUrl() });
    await outside.connect();
    const name = new URL(testDatabase.url!).pathname.slice(1);
    const allow = (allowed: boolean) => outside.query(`alter database ${name} allow_connections ${allowed}`);
    await allow(false);
    await endConnections();
    for (let index = 0; index < 5; index++) {
      assertOutage(await read(service.api));
      assertOutage(await write(service.api));
    }
    await assertHealth(service.api, { livez: 200, readyz: 503 });
    await allow(true);
    await outside.end();
  });

  test('a closed PostgreSQL connection fails the request whose transaction waits for a lock with 503', async () => {
    await administrator.query('begin; lock table users in share mode');
    const response = write(service.api);
    const waiting = `select pid ${others} and wait_event_type = 'Lock'`;
    while ((await administrator.query(waiting)).rowCount === 0);
    await endConnections();
    await administrator.query('rollback');
    assertOutage(await response);
  });

  test('closed PostgreSQL connections make each request under load succeed or get 503, without ending the process', async () => {
    for (let round = 0; round < 5; round++) {
      const responses = Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? read(service.api) : write(service.api),
      );
      await endConnections();
      const statuses = (await Promise.all(responses)).map(({ status }) => status);
      assert.deepEqual(
        statuses.filter((status) => ![200, 201, 503].includes(status)),
        [],
      );
    }
  });
});
