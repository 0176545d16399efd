import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fromIp, limited } from '../../../../../test/support/limits.ts';
import { createTestDatabase, describeOnSqlite, ENGINES } from '../../../../../test/support/runner/engines.ts';
import { startService, type TestService } from '../../../../../test/support/service.ts';
import { insertTestUser, register } from '../../../../../test/support/users.ts';
import { type Database, sql } from '../../../../database/database.ts';
import { DAY } from '../../../../lib/time/clock.ts';
import { findCredentialsById } from '../../records/queries.ts';

const SCHOOL = '198.51.100.7';
const PUPILS = 80;
const OPTIONS = limited({ RATE_LIMITS: 'off', PASSWORD_THREADS: '2', PASSWORD_QUEUE: '100' });

const COPY_NETWORK = sql(`
  insert into known_networks (user_id, network, first_login_at, last_login_at)
  select $1, network, $3, $3 from known_networks where user_id = $2`);

/** Creates accounts with one password. Every other one knows the school since two days ago. */
async function enrol(service: TestService) {
  const { database } = service.service;
  const { id, email, password } = await register(service);
  assert.equal((await service.api.post('/api/login', { email, password }, fromIp(SCHOOL))).status, 200);
  const { password_hash: passwordHash } = (await findCredentialsById(database, id))!;
  const emails: string[] = [];
  for (let pupil = 0; pupil < PUPILS; pupil++) {
    const user = await insertTestUser(database, { passwordHash });
    emails.push(user.email!);
    if (pupil % 2 === 0) await copyKnownNetwork(database, id, user.id);
  }
  return { emails, password };
}

function copyKnownNetwork(database: Database, from: string, to: string): Promise<number> {
  return database.transaction((tx) => tx.run(COPY_NETWORK, to, from, Date.now() - 2 * DAY));
}

/** Logs all in at once, at the nodes in turn, and returns how often each status came. */
async function logInAll(nodes: readonly TestService[]) {
  const { emails, password } = await enrol(nodes[0]!);
  const responses = await Promise.all(
    emails.map((email, pupil) =>
      nodes[pupil % nodes.length]!.api.post('/api/login', { email, password }, fromIp(SCHOOL)),
    ),
  );
  const statuses = responses.map(({ status }) => status);
  return Object.fromEntries(
    Map.groupBy(statuses, String)
      .entries()
      .map(([status, { length }]) => [status, length]),
  );
}

describeOnSqlite('80 logins at once from one network that half of their accounts know', (engine) => {
  test('80 logins at once from one network are all accepted by one node with 100 places', async (context) => {
    const node = await startService(engine, OPTIONS);
    context.after(node.stop);
    assert.deepEqual(await logInAll([node]), { 200: PUPILS });
  });
});

describe('80 logins at once from one network at two nodes', { skip: !ENGINES.includes('postgres') }, () => {
  test('80 logins at once from one network are all accepted by two nodes', async (context) => {
    const testDatabase = await createTestDatabase('postgres');
    const nodes = [
      await startService('postgres', { ...OPTIONS, testDatabase }),
      await startService('postgres', { ...OPTIONS, testDatabase }),
    ];
    context.after(async () => {
      for (const node of nodes) await node.stop();
      await testDatabase.remove();
    });
    assert.deepEqual(await logInAll(nodes), { 200: PUPILS });
  });
});
