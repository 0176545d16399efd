/** What was acknowledged is there after a sudden end (kill -9), what was not is there whole or not at all. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import SQLite from 'better-sqlite3';
import { sql } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open.ts';
import { createTestDatabase, describeOnEachEngine, type TestDatabase } from './support/engines.ts';
import { type ServiceProcess, startProcess } from './support/process.ts';
import { newPerson } from './support/service.ts';

const ROUNDS = 3;
const AT_ONCE = 6;

type Person = ReturnType<typeof newPerson>;

interface Ledger {
  /** Token by address: answered with 201. */
  readonly acknowledged: Map<string, string>;
  /** Sent, and never answered. */
  readonly unanswered: Person[];
}

/** Registers people without a pause until the process is gone. */
async function registerUntilTheEnd(service: ServiceProcess, ledger: Ledger, onAnswer: () => void) {
  for (;;) {
    const person = newPerson();
    try {
      const { status, body } = await service.api.post('/api/register', person);
      assert.equal(status, 201);
      ledger.acknowledged.set(person.email, body.access_token);
      onAnswer();
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      ledger.unanswered.push(person);
      return;
    }
  }
}

/** Kills it some milliseconds after one of the first registrations was answered, while others are under way. */
async function killDuringRegistrations(service: ServiceProcess, ledger: Ledger): Promise<void> {
  let answersLeft = randomInt(1, 12);
  const enough = Promise.withResolvers<void>();
  const onAnswer = () => {
    answersLeft--;
    if (answersLeft === 0) enough.resolve();
  };
  const clients = Array.from({ length: AT_ONCE }, () => registerUntilTheEnd(service, ledger, onAnswer));
  await Promise.race([enough.promise, Promise.all(clients)]);
  await pause(randomInt(0, 25));
  assert.equal((await service.kill('SIGKILL')).signal, 'SIGKILL');
  await Promise.all(clients);
}

/** Every acknowledged token opens its account; who was not answered registers, or is registered already. */
async function assertKept(service: ServiceProcess, { acknowledged, unanswered }: Ledger): Promise<void> {
  assert.ok(acknowledged.size > 0 && unanswered.length > 0, 'the end came in the middle');
  for (const [email, token] of acknowledged) {
    const { status, body } = await service.api.get('/api/v1/me', { token });
    assert.equal(status, 200, `${email} was acknowledged and is lost`);
    assert.equal(body.data.email, email);
  }
  for (const person of unanswered.splice(0)) {
    const { status, body } = await service.api.post('/api/register', person);
    assert.ok([201, 409].includes(status), `answered ${status}`);
    const token = status === 201 ? body : (await service.api.post('/api/login', person)).body;
    acknowledged.set(person.email, token.access_token);
  }
}

describeOnEachEngine('kill -9 during registrations', (engine) => {
  let testDatabase: TestDatabase;
  before(async () => {
    testDatabase = await createTestDatabase(engine);
  });
  after(() => testDatabase.remove());

  test('loses nothing acknowledged, doubles nobody, leaves nothing half done', async () => {
    const ledger: Ledger = { acknowledged: new Map(), unanswered: [] };
    for (let round = 0; round < ROUNDS; round++) {
      const service = await startProcess(testDatabase, { LOG_LEVEL: 'warn' });
      if (round > 0) await assertKept(service, ledger);
      await killDuringRegistrations(service, ledger);
    }
    const service = await startProcess(testDatabase, { LOG_LEVEL: 'warn' });
    await assertKept(service, ledger);
    assert.equal((await service.kill('SIGTERM')).code, 0);
    await assertWhole(testDatabase, ledger.acknowledged.size);
  });
});

const DOUBLES = sql('select email_key from users group by email_key having count(*) > 1');
const WITHOUT_TOKEN = sql('select id from users where id not in (select user_id from tokens)');
const COUNT = sql<{ count: number }>('select count(*) as count from users');

async function assertWhole({ url, directory }: TestDatabase, people: number): Promise<void> {
  const database = openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 1 });
  try {
    assert.deepEqual(await database.all(DOUBLES), []);
    assert.deepEqual(
      await database.all(WITHOUT_TOKEN),
      [],
      'a registration is a user and a token, or neither',
    );
    assert.deepEqual(await database.get(COUNT), { count: people });
  } finally {
    await database.close();
  }
  if (url !== null) return;
  const sqlite = new SQLite(join(directory, 'frontdesk.db'), { readonly: true });
  assert.equal(sqlite.pragma('integrity_check', { simple: true }), 'ok');
  assert.deepEqual(sqlite.pragma('foreign_key_check'), []);
  sqlite.close();
}
