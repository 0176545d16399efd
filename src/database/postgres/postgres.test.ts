import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after, afterEach, before, beforeEach, describe, type TestContext, test } from 'node:test';
import pg from 'pg';
import {
  createTestDatabase,
  describeOnPostgres,
  type TestDatabase,
} from '../../../test/support/runner/engines.ts';
import { type Database, DatabaseUnavailable, sql } from '../database.ts';
import { openPostgres } from './postgres.ts';

const SERIALIZABLE = sql('set transaction isolation level serializable');
const PROCESS = sql<{ pid: number }>('select pg_backend_pid() as pid');
const SUM = sql<{ sum: number }>('select cast(sum(amount) as bigint) as sum from entries');
const INSERT = sql('insert into entries (amount) values ($1)');
const ADD = sql('update entries set amount = amount + 100 where amount = $1');

const RATE_LIMITS = `
  create table rate_limits (key text primary key, tat double precision, touched_at bigint, allowed bigint)`;

/** Returns a function whose promise resolves for all callers once as many as expected have called it. */
function barrier(expected: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  return () => {
    arrived++;
    if (arrived === expected) resolve();
    return promise;
  };
}

describeOnPostgres('PostgreSQL', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  before(async () => {
    testDatabase = await createTestDatabase('postgres');
    database = openPostgres(testDatabase.url!, 4);
    await database.transaction((tx) => tx.run(sql('create table entries (amount bigint not null)')));
    await database.transaction((tx) => tx.run(INSERT, 1));
  });
  after(async () => {
    await database.close();
    await testDatabase.remove();
  });

  test('PostgreSQL limits statements and lock waits except in exclusive transactions, and idle transactions', async () => {
    const limits = sql(`
      select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle`);
    assert.deepEqual(await database.get(limits), { statement: '10s', lock: '5s', idle: '15s' });
    const exclusive = await database.exclusively((tx) => tx.get(limits));
    assert.deepEqual(exclusive, { statement: '0', lock: '0', idle: '1min' });
  });

  test('PostgreSQL is not available to ping while the server is read-only, and the connection is closed', async () => {
    const single = openPostgres(testDatabase.url!, 1);
    await single.ping();
    await single.get(PROCESS);
    await single.transaction((tx) => tx.run(sql('set session characteristics as transaction read only')));
    await assert.rejects(single.ping(), (error: Error) => {
      assert.ok(error instanceof DatabaseUnavailable);
      return /read-only/.test(String(error.cause));
    });
    await single.ping();
    await single.close();
  });

  for (const [code, change] of [
    ['26000', 'deallocate all'],
    ['42P05', `prepare "${SUM.name}" as select 1`],
  ] as const)
    test(`PostgreSQL is not available behind a pooler that loses prepared statements (${code}), and the error says so`, async () => {
      const single = openPostgres(testDatabase.url!, 1);
      if (code === '26000') await single.get(SUM);
      await single.transaction((tx) => tx.run(sql(change)));
      await assert.rejects(single.get(SUM), (error: Error) => {
        assert.ok(error instanceof DatabaseUnavailable);
        return /session mode/.test(String(error.cause));
      });
      await single.close();
    });

  test('PostgreSQL retries the transaction that fails with a serialisation error', async () => {
    const bothHaveRead = barrier(2);
    let runs = 0;
    const addSum = () =>
      database.transaction(async (tx) => {
        runs++;
        await tx.run(SERIALIZABLE);
        const { sum } = (await tx.get(SUM))!;
        await bothHaveRead();
        await tx.run(INSERT, sum);
      });
    const { sum: before } = (await database.get(SUM))!;
    await Promise.all([addSum(), addSum()]);
    assert.equal(runs, 3);
    assert.equal((await database.get(SUM))!.sum, before * 4, 'each sum counts the other');
  });

  test('PostgreSQL retries the read that a deadlock with a migration has ended', async (context) => {
    await database.transaction((tx) => tx.run(sql('create table others (amount bigint not null)')));
    const migration = new pg.Client({ connectionString: testDatabase.url! });
    await migration.connect();
    context.after(() => migration.end());
    await migration.query("begin; set deadlock_timeout = '1min'; lock table others in access exclusive mode");
    const BOTH = sql('select entries.amount from entries left join others on entries.amount = others.amount');
    const reads = Promise.all([database.get(BOTH), database.all(BOTH)]);
    const waiting = 'select pid from pg_locks where not granted';
    while ((await migration.query(waiting)).rowCount! < 2);
    // Waits for the reads, which PostgreSQL ends because they were first to wait.
    await migration.query('lock table entries in access exclusive mode; commit');
    assert.ok((await reads).every((row) => row !== undefined));
  });

  test('PostgreSQL retries the transaction that a deadlock has ended', async () => {
    await database.transaction((tx) => tx.run(INSERT, 1_000_001));
    await database.transaction((tx) => tx.run(INSERT, 2_000_001));
    const bothHoldOne = barrier(2);
    const update = (first: number, second: number) =>
      database.transaction(async (tx) => {
        await tx.run(sql("set local deadlock_timeout = '10ms'"));
        const changed = await tx.run(ADD, first);
        await bothHoldOne();
        return changed + (await tx.run(ADD, second));
      });
    const changed = await Promise.all([update(1_000_001, 2_000_001), update(2_000_001, 1_000_001)]);
    assert.equal(
      changed[0]! + changed[1]!,
      2,
      'each row once: the retried transaction found both rows changed',
    );
  });

  test('PostgreSQL throws DatabaseUnavailable after three attempts at a transaction that cannot be serialised', async () => {
    let runs = 0;
    const fail = sql("do $$ begin raise exception 'again' using errcode = '40001'; end $$");
    const transaction = database.transaction((tx) => {
      runs++;
      return tx.run(fail);
    });
    await assert.rejects(transaction, DatabaseUnavailable);
    assert.equal(runs, 3);
  });

  test('PostgreSQL throws DatabaseUnavailable for a statement that times out', async () => {
    const transaction = database.transaction(async (tx) => {
      await tx.run(sql("set local statement_timeout = '1ms'"));
      await tx.get(sql('select pg_sleep(60)'));
    });
    await assert.rejects(transaction, DatabaseUnavailable);
  });

  /** Opens the database with another value for one of the time-outs. */
  const openWith = (context: TestContext, timeout: string) => {
    const other = openPostgres(`${testDatabase.url}?${timeout}`, 1);
    context.after(() => other.close());
    return other;
  };

  test('PostgreSQL throws DatabaseUnavailable for a transaction that waits too long for a lock', async (context) => {
    const hasty = openWith(context, 'lock_timeout=50');
    const before = await hasty.get(PROCESS);
    await database.transaction(async (tx) => {
      await tx.run(sql('lock table entries in share mode'));
      await assert.rejects(
        hasty.transaction((other) => other.run(INSERT, 1)),
        (error) => error instanceof DatabaseUnavailable && /lock timeout/.test(error.message),
      );
    });
    await hasty.transaction(async (tx) => {
      await tx.run(INSERT, 1);
      assert.deepEqual(await tx.get(PROCESS), before);
    });
  });

  test('PostgreSQL releases the locks of a transaction that is idle for too long', async (context) => {
    const hasty = openWith(context, 'idle_in_transaction_session_timeout=50');
    const idle = hasty.transaction(async (tx) => {
      await tx.run(sql('lock table entries in share mode'));
      // Waits for the lock until the server has ended the idle transaction.
      await database.transaction((other) => other.run(INSERT, 1));
      await tx.run(INSERT, 1);
    });
    await assert.rejects(idle, DatabaseUnavailable);
    // Not a transaction, which would end as well if this process were slow.
    await hasty.get(PROCESS);
  });

  test('PostgreSQL starts a clock that agrees with that of the server', async (context) => {
    const other = openPostgres(testDatabase.url!, 1);
    context.after(() => other.close());
    await other.get(PROCESS);
    const clock = await other.startClock(() => assert.fail('both clocks are those of this machine'));
    assert.ok(Math.abs(clock() - Date.now()) < 10_000);
  });

  /** Opens the database through a proxy, and returns the messages that the server gets as well. */
  async function openProxied(context: TestContext) {
    const url = new URL(testDatabase.url!);
    const [port, messages] = [Number(url.port), [] as string[]];
    const proxy = createServer((client) => {
      const server = connect(port, url.hostname);
      client.on('data', (data) => messages.push(data.toString('latin1')));
      client.pipe(server).pipe(client);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const proxied = openPostgres(`${url.href}?query_timeout=5000`, 1);
    context.after(() => proxied.close().then(() => proxy.close()));
    return { proxied, messages };
  }

  test('PostgreSQL gets the statements of one step of a transaction, and its beginning, in one message', async (context) => {
    const { proxied, messages } = await openProxied(context);
    await proxied.transaction((tx) => Promise.all([tx.run(ADD, 0), tx.get(SUM)]));
    const [first] = messages.filter((message) => message.includes('begin'));
    assert.ok(first!.includes(ADD.text) && first!.includes(SUM.text));
  });

  describe('reads on PostgreSQL in one turn of the event loop', () => {
    const FAIL = sql('select 1 / 0');
    const WAIT = sql('select pg_advisory_xact_lock_shared(1)');
    const list = async () => (await database.all(PROCESS))[0]!;

    test('reads in one turn share a connection, at most 16, those of rows and of lists apart, and none with a transaction', async () => {
      const countProcesses = async (reads: Promise<{ pid: number } | undefined>[]) =>
        new Set((await Promise.all(reads)).map((row) => row!.pid)).size;
      const read = () => database.get(PROCESS);
      assert.equal(await countProcesses(Array.from({ length: 16 }, read)), 1);
      assert.equal(await countProcesses(Array.from({ length: 17 }, read)), 2);
      assert.equal(await countProcesses([list(), list()]), 1);
      assert.equal(await countProcesses([read(), list()]), 2);
      assert.equal(await countProcesses([read(), database.transaction((tx) => tx.get(PROCESS))]), 2);
    });

    test('reads that share a connection fail alone by their own fault, and together when it is lost', async () => {
      const end = sql('select pg_terminate_backend(pg_backend_pid())');
      const settle = async (first: typeof FAIL) =>
        (await Promise.allSettled([database.get(first), database.get(SUM)])).map(({ status }) => status);
      assert.deepEqual(await settle(FAIL), ['rejected', 'fulfilled']);
      assert.deepEqual(await settle(end), ['rejected', 'rejected']);
      await assert.rejects(Promise.all([database.get(end), database.get(SUM)]), DatabaseUnavailable);
      assert.notEqual(await database.get(SUM), undefined);
    });

    test('a read of one row and a limit do not wait for a list or another limit of the same turn', async () => {
      const cost = { intervalMs: 1, windowMs: 1_000, partsPerMs: 1 };
      await database.transaction((tx) => tx.run(sql(RATE_LIMITS)));
      const take = (key: string) => database.sharedLimits!.take(key, cost);
      await take('locked');
      let waiting: Promise<unknown> = Promise.resolve();
      await database.transaction(async (tx) => {
        await tx.get(sql('select pg_advisory_xact_lock(1)'));
        await tx.get(sql("select key from rate_limits where key = 'locked' for update"));
        waiting = Promise.all([database.all(WAIT), take('locked')]);
        assert.equal((await Promise.all([database.get(PROCESS), take('other')])).length, 2);
      });
      await waiting;
    });
  });

  for (const code of ['55P03', '25P03', '25P04', '25006', '57P01', '53300']) {
    test(`PostgreSQL throws DatabaseUnavailable for SQLSTATE ${code}`, async () => {
      const reject = sql(`do $$ begin raise exception 'not now' using errcode = '${code}'; end $$`);
      await assert.rejects(database.get(reject), DatabaseUnavailable);
      await assert.rejects(
        database.transaction((tx) => tx.run(reject)),
        DatabaseUnavailable,
      );
    });
  }

  describe('the PostgreSQL connection', () => {
    let single: Database;
    beforeEach(() => {
      single = openPostgres(testDatabase.url!, 1);
    });
    afterEach(() => single.close());
    const serverProcess = async () => (await single.get(PROCESS))!.pid;
    const stopServerProcess = async (context: TestContext, of: Database) => {
      const { pid } = (await of.get(PROCESS))!;
      process.kill(pid, 'SIGSTOP');
      context.after(() => process.kill(pid, 'SIGCONT'));
    };

    test('the PostgreSQL connection is reused after a failed statement, which leaves no state behind', async () => {
      const before = await serverProcess();
      const wrong = sql('select no_such_column from entries');
      await assert.rejects(single.get(wrong));
      await assert.rejects(single.transaction((tx) => tx.get(wrong)));
      await single.transaction(async (tx) => assert.deepEqual(await tx.get(PROCESS), { pid: before }));
    });

    test('the PostgreSQL connection has TCP keepalive, so that a server that has disappeared is noticed', async () => {
      const client = sql<{ port: number }>('select inet_client_port() as port');
      const { port } = (await single.get(client))!;
      const localPort = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
      const sockets = readFileSync('/proc/net/tcp', 'utf8').split('\n');
      const fields = sockets.map((line) => line.trim().split(/\s+/));
      const timer = fields.find(([, local]) => local?.endsWith(localPort))?.[5];
      assert.match(timer ?? '', /^02:/, 'the timer of the socket is that of keepalive (proc_net_tcp)');
    });

    test('the PostgreSQL connection is closed when the server accepts no writes', async () => {
      const before = await serverProcess();
      const write = single.transaction(async (tx) => {
        await tx.run(sql('set transaction read only'));
        await tx.run(INSERT, 1);
      });
      await assert.rejects(write, DatabaseUnavailable);
      assert.notEqual(await serverProcess(), before);
    });

    test('the PostgreSQL connection is opened although the process stands still for longer than that may take', async () => {
      const opened = single.transaction((tx) => tx.get(PROCESS));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_200);
      assert.notEqual(await opened, undefined);
    });

    test('the PostgreSQL connection is closed without a rollback when the server hangs', async (context) => {
      const { proxied, messages } = await openProxied(context);
      await stopServerProcess(context, proxied);
      await assert.rejects(
        proxied.transaction((tx) => tx.run(INSERT, 1)),
        DatabaseUnavailable,
      );
      assert.ok(!messages.some((message) => message.includes('rollback')));
      await proxied.transaction((tx) => tx.run(INSERT, 1));
    });

    test('a ping fails when the PostgreSQL server hangs, however long statements may take', {
      timeout: 60_000,
    }, async (context) => {
      const patient = openWith(context, 'query_timeout=600000');
      await stopServerProcess(context, patient);
      await assert.rejects(patient.ping(), DatabaseUnavailable);
      assert.notEqual(await patient.get(PROCESS), undefined);
    });
  });

  test('an unreachable PostgreSQL throws DatabaseUnavailable without the password in its message', async () => {
    const unreachable = openPostgres('postgres://user:the-password@127.0.0.1:1/some', 1);
    const hidesPassword = (error: Error) =>
      error instanceof DatabaseUnavailable && !error.message.includes('the-password');
    await assert.rejects(unreachable.get(SUM), hidesPassword);
    await assert.rejects(unreachable.ping(), hidesPassword);
    await assert.rejects(
      unreachable.transaction((tx) => tx.get(SUM)),
      hidesPassword,
    );
    assert.equal(unreachable.location, 'PostgreSQL 127.0.0.1:1/some');
    await unreachable.close();
  });
});
