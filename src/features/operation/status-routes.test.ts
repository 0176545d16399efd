import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { enqueue } from '../../../test/support/mail.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { admin, openService, useService } from '../../../test/support/service.ts';
import { insertTestUser } from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';
import { formatTimestamp, HOUR } from '../../lib/time.ts';
import { leaseJob, releaseJob } from '../jobs/queries.ts';
import { enqueueMail } from '../mail/enqueue-mail.ts';
import { countDropped } from '../mail/messages/end-message.ts';
import { findDueMail } from '../mail/queries.ts';

const NOON = Date.UTC(2026, 2, 31, 12);
const CACHE_MS = 2_000;
const PATH = '/api/v1/admin/status';
const FAIL_ALL = sql('update jobs set attempts = 1, leased_until = null');

describeOnSqlite('GET /api/v1/admin/status', (engine) => {
  const time = { now: NOON, elapsed: 0 };
  const service = useService(engine, { clock: () => time.now, monotonicClock: () => time.elapsed });
  const { database } = service;
  const get = async () => {
    time.elapsed += CACHE_MS;
    const { status, body } = await service.api.get(PATH, admin);
    assert.equal(status, 200);
    assert.equal(body.message, 'Status');
    return body.data;
  };

  test('GET /api/v1/admin/status returns release, process and database of the node', async () => {
    time.now = NOON + 61_999;
    const { memory_bytes: memory, mail, ...data } = await get();
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    assert.deepEqual(data, {
      generated_at: formatTimestamp(NOON + 61_999),
      version,
      node_version: process.versions.node,
      started_at: formatTimestamp(NOON),
      uptime_seconds: 61,
      database: {
        engine: engine === 'sqlite' ? 'sqlite' : 'postgresql',
        location: service.database.location,
      },
      public_url: null,
    });
    assert.ok(memory > 10_000_000);
    assert.deepEqual(mail, { delivery: 'off', waiting: 0, failed: 0, has_more: false, dropped: 0 });
  });

  test('GET /api/v1/admin/status counts messages that wait and those with a failed attempt, at most 1,000', async () => {
    const now = time.now;
    const { id: userId } = await insertTestUser(database);
    const email = 'ada@example.com';
    // Expired messages do not wait any more.
    await enqueue(database, { kind: 'reset_password', userId, email, now: now - 2 * HOUR });
    for (let number = 0; number < 3; number++)
      await enqueue(database, { kind: 'password_changed', userId, email, now });
    const [, first, second] = await findDueMail(database, now, 3);
    await database.transaction(async (tx) => {
      await leaseJob(tx, first!, now + HOUR);
      await leaseJob(tx, second!, now + HOUR);
      await releaseJob(tx, second!, { nextAttemptAt: now + HOUR, lastError: 'failed' });
    });
    assert.deepEqual((await get()).mail, {
      delivery: 'off',
      waiting: 3,
      failed: 1,
      has_more: false,
      dropped: 0,
    });
    await database.transaction(async (tx) => {
      for (let number = 3; number < 1_001; number++)
        await enqueueMail(tx, { kind: 'password_changed', userId, email, now });
    });
    const failedOnce = { delivery: 'off', waiting: 1_000, failed: 1, has_more: true, dropped: 0 };
    assert.deepEqual((await get()).mail, failedOnce);
    await database.transaction((tx) => tx.run(FAIL_ALL));
    assert.deepEqual((await get()).mail, { ...failedOnce, failed: 1_000 });
  });

  test('GET /api/v1/admin/status counts messages that limits have dropped', async () => {
    const { dropped: before } = (await get()).mail;
    await database.transaction(async (tx) => {
      countDropped(tx);
      countDropped(tx);
    });
    assert.equal((await get()).mail.dropped, before + 2);
  });

  test('GET /api/v1/admin/status names how messages are delivered', async (context) => {
    const smtp = { SMTP_URL: 'smtp://user:the-password@127.0.0.1:1', MAIL_FROM: 'a@example.com' };
    for (const [delivery, environment] of [
      ['smtp', { ...smtp, PUBLIC_URL: 'https://id.example.com' }],
      ['log', { MAIL_TO_LOG: 'true' }],
    ] as const) {
      const other = await openService(context, engine, { environment });
      const { body, text } = await other.api.get(PATH, admin);
      assert.equal(body.data.mail.delivery, delivery);
      assert.ok(!text.includes('the-password'));
    }
  });
});

describeOnSqlite('views of the state of a node', (engine) => {
  const time = { now: NOON, elapsed: 0 };
  const service = useService(engine, { clock: () => time.now, monotonicClock: () => time.elapsed });

  for (const [name, seconds] of [
    ['alerts', 2],
    ['checks', 5],
    ['dashboard', 2],
    ['status', 2],
  ] as const)
    test(`GET /api/v1/admin/${name} reads again after ${seconds} seconds, once for all requests that wait`, async () => {
      const read = async () => (await service.api.get(`/api/v1/admin/${name}`, admin)).body.data.generated_at;
      const [first, second] = await Promise.all([read(), read()]);
      assert.deepEqual([first, second], Array(2).fill(formatTimestamp(time.now)));
      time.now += 1_000;
      time.elapsed += seconds * 1_000 - 1;
      assert.equal(await read(), first);
      time.elapsed += 1;
      assert.equal(await read(), formatTimestamp(time.now));
    });
});
