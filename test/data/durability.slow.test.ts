/** After kill -9, acknowledged registrations exist, and others exist completely or not at all. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import SQLite from 'better-sqlite3';
import { sql } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { type ServiceProcess, startProcess } from '../support/processes/process.ts';
import { createTestDatabase, describeOnEachEngine, type TestDatabase } from '../support/runner/engines.ts';
import { newUserData } from '../support/service.ts';

const ROUNDS = 3;
const CLIENTS = 6;

type Registration = ReturnType<typeof newUserData>;

interface Ledger {
  /** Token by email of registrations with a response. */
  readonly acknowledged: Map<string, string>;
  /** Registrations without a response. */
  readonly unanswered: Registration[];
}

/** Registers one user after the other until the process is gone. */
async function registerUntilKilled(service: ServiceProcess, ledger: Ledger, onResponse: () => void) {
  for (;;) {
    const registration = newUserData();
    try {
      const { status, body } = await service.api.post('/api/register', registration);
      assert.equal(status, 201);
      ledger.acknowledged.set(registration.email, body.access_token);
      onResponse();
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      ledger.unanswered.push(registration);
      return;
    }
  }
}

/** Kills the process some milliseconds after one of the first responses, during other registrations. */
async function killDuringRegistrations(service: ServiceProcess, ledger: Ledger): Promise<void> {
  let responsesLeft = randomInt(1, 12);
  const enough = Promise.withResolvers<void>();
  const onResponse = () => {
    responsesLeft--;
    if (responsesLeft === 0) enough.resolve();
  };
  const clients = Array.from({ length: CLIENTS }, () => registerUntilKilled(service, ledger, onResponse));
  await Promise.race([enough.promise, Promise.all(clients)]);
  await pause(randomInt(0, 25));
  assert.equal((await service.kill('SIGKILL')).signal, 'SIGKILL');
  await Promise.all(clients);
}

/** Acknowledged tokens are valid; registrations without a response either can be repeated or exist. */
async function assertKept(service: ServiceProcess, { acknowledged, unanswered }: Ledger): Promise<void> {
  assert.ok(acknowledged.size > 0 && unanswered.length > 0, 'the process was killed during registrations');
  for (const [email, token] of acknowledged) {
    const { status, body } = await service.api.get('/api/v1/me', { token });
    assert.equal(status, 200, `${email} was acknowledged and is lost`);
    assert.equal(body.data.email, email);
  }
  for (const registration of unanswered.splice(0)) {
    const { status, body } = await service.api.post('/api/register', registration);
    assert.ok([201, 409].includes(status), `status ${status}`);
    const token = status === 201 ? body : (await service.api.post('/api/login', registration)).body;
    acknowledged.set(registration.email, token.access_token);
  }
}

describeOnEachEngine('kill -9 during registrations', (engine) => {
  let testDatabase: TestDatabase;
  before(async () => {
    testDatabase = await createTestDatabase(engine);
  });
  after(() => testDatabase.remove());

  test('kill -9 during registrations loses no acknowledged user, creates none twice, and leaves none incomplete', async () => {
    const ledger: Ledger = { acknowledged: new Map(), unanswered: [] };
    for (let round = 0; round < ROUNDS; round++) {
      const service = await startProcess(testDatabase, { LOG_LEVEL: 'warn' });
      if (round > 0) await assertKept(service, ledger);
      await killDuringRegistrations(service, ledger);
    }
    const service = await startProcess(testDatabase, { LOG_LEVEL: 'warn' });
    await assertKept(service, ledger);
    assert.equal((await service.kill('SIGTERM')).code, 0);
    await assertComplete(testDatabase, ledger.acknowledged.size);
  });
});

const DUPLICATES = sql('select email_key from users group by email_key having count(*) > 1');
const WITHOUT_TOKEN = sql('select id from users where id not in (select user_id from tokens)');
const COUNT = sql<{ count: number }>('select count(*) as count from users');

async function assertComplete({ url, directory }: TestDatabase, users: number): Promise<void> {
  const database = openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 1 });
  try {
    assert.deepEqual(await database.all(DUPLICATES), []);
    assert.deepEqual(await database.all(WITHOUT_TOKEN), [], 'every user has a token');
    assert.deepEqual(await database.get(COUNT), { count: users });
  } finally {
    await database.close();
  }
  if (url !== null) return;
  const sqlite = new SQLite(join(directory, 'frontdesk.db'), { readonly: true });
  assert.equal(sqlite.pragma('integrity_check', { simple: true }), 'ok');
  assert.deepEqual(sqlite.pragma('foreign_key_check'), []);
  sqlite.close();
}
