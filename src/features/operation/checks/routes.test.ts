import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { enqueue } from '../../../../test/support/mail.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { admin, openService, useService } from '../../../../test/support/service.ts';
import { startSmtpServer } from '../../../../test/support/smtp-server.ts';
import { insertTestUser } from '../../../../test/support/users.ts';
import { readConfig } from '../../../config.ts';
import { DAY, HOUR } from '../../../lib/time.ts';
import { checkMail } from './check-settings.ts';
import type { Finding } from './finding.ts';

const PATH = '/api/v1/admin/checks';
const CACHE_MS = 5_000;
const FINE = {
  PUBLIC_URL: 'https://accounts.example.com',
  TRUST_PROXY: 'loopback',
  PASSWORD_POLICY: 'nist',
  SECRET_KEY: 'a-secret-key-of-more-than-32-characters',
  MAIL_FROM: 'a@example.com',
};

/** Starts a server that accepts connections and says nothing. */
async function startSilentServer(context: TestContext) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `smtp://127.0.0.1:${port}`;
}

describeOnSqlite('GET /api/v1/admin/checks', (engine) => {
  const time = { elapsed: 0 };
  const service = useService(engine, { monotonicClock: () => time.elapsed });
  const get = async (from = service) => {
    time.elapsed += CACHE_MS;
    const { status, body } = await from.api.get(PATH, admin);
    assert.deepEqual([status, body.message], [200, 'Checks']);
    const checks: Finding[] = body.data.checks;
    return (check: string) => checks.filter((each) => each.check === check).map(({ status }) => status);
  };

  test('GET /api/v1/admin/checks returns a finding of every check of a node that is configured well', async (context) => {
    const smtp = await startSmtpServer();
    context.after(() => smtp.close());
    const environment = { ...FINE, SMTP_URL: smtp.url };
    const node = await openService(context, engine, { environment });
    const getStatuses = await get(node);
    for (const check of ['settings', 'database', 'schema', 'clock', 'mail queue', 'mail', 'disk'])
      assert.deepEqual(getStatuses(check), ['ok'], check);
    assert.deepEqual(getStatuses('rights'), ['skipped']);
    assert.deepEqual(getStatuses('secrets'), [], 'both are settings');
    assert.equal(smtp.attempts, 0, 'nothing is sent');
  });

  test('GET /api/v1/admin/checks finds texts with which the next start would fail', async (context) => {
    const directory = mkdtempSync(join(service.testDatabase.directory, 'texts-'));
    const environment = { ...FINE, TEXTS_DIR: directory };
    const node = await openService(context, engine, { environment, monotonicClock: () => time.elapsed });
    assert.deepEqual((await get(node))('texts'), ['ok']);
    writeFileSync(join(directory, 'fr.json'), '{"unknown":"texte"}');
    assert.deepEqual((await get(node))('texts'), ['error']);
  });

  test('GET /api/v1/admin/checks returns warnings and errors with remedies', async (context) => {
    const getStatuses = await get();
    assert.deepEqual(getStatuses('settings'), ['ok', 'warning', 'warning']);
    assert.deepEqual(getStatuses('mail'), ['warning']);
    assert.deepEqual(getStatuses('secrets'), ['ok'], 'the key is in a file');
    const { database } = service;
    const { id: userId } = await insertTestUser(database);
    await enqueue(database, { kind: 'password_changed', userId, email: 'a@b', now: Date.now() - DAY });
    assert.deepEqual((await get())('mail queue'), ['warning']);
    const environment = { ...FINE, SMTP_URL: 'smtp://user:the-password@127.0.0.1:1' };
    const node = await openService(context, engine, { environment });
    const { text } = await node.api.get(PATH, admin);
    assert.match(text, /"check":"mail","status":"error"/);
    assert.ok(!text.includes('the-password'));
  });

  test('GET /api/v1/admin/checks reports a message that has waited for more than an hour, but not for less', async (context) => {
    const now = Date.UTC(2026, 0, 1);
    const node = await openService(context, engine, { clock: () => now, monotonicClock: () => time.elapsed });
    const { database } = node.service;
    const { id: userId } = await insertTestUser(database);
    const enqueueAt = (queuedAt: number) =>
      enqueue(database, { kind: 'password_changed', userId, email: 'a@b', now: queuedAt });
    await enqueueAt(now - HOUR);
    assert.deepEqual((await get(node))('mail queue'), ['ok']);
    await enqueueAt(now - HOUR - 1);
    assert.deepEqual((await get(node))('mail queue'), ['warning']);
  });

  test('GET /api/v1/admin/checks reports a clock of the machine that differs from that of the database', async (context) => {
    const node = await openService(context, engine, {
      clock: () => Date.now() - 60_000,
      monotonicClock: () => performance.now(),
    });
    assert.deepEqual((await get(node))('clock'), ['warning']);
  });

  test('GET /api/v1/admin/checks needs no transaction: it writes nothing, and a write in progress does not delay it', async () => {
    const getStatuses = await service.database.transaction(() => get());
    assert.deepEqual(getStatuses('database'), ['ok']);
  });
});

describe('the check of mail', () => {
  test('the check of mail reports a server that does not respond in time', async (context) => {
    const SMTP_URL = await startSilentServer(context);
    const { mail } = readConfig({ ...FINE, SMTP_URL });
    const [finding, ...others] = await checkMail(mail, 50);
    assert.equal(finding?.status, 'error');
    assert.match(finding.message, /no response within 0.05 s/);
    assert.equal(others.length, 0);
  });
});
