/** This release and the next one, whose further migrations are in test/support/next-release, on one database. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Database, sql } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { withMarks } from '../../src/features/events/chain/chain.ts';
import type { EventType } from '../../src/features/events/event-types.ts';
import { insertEvents } from '../../src/features/events/queries.ts';
import { insertMail, type MailKind } from '../../src/features/mail/queries.ts';
import { newId } from '../../src/lib/secrets/ids.ts';
import { HOUR } from '../../src/lib/time.ts';
import { ADMIN_TOKEN, admin, newUserData, toEnvironment } from '../support/environment.ts';
import { LAST } from '../support/next-release/migrations.ts';
import { NEXT_RELEASE } from '../support/next-release/next-release.ts';
import { run as runCommand } from '../support/processes/commands.ts';
import { runToEnd, type ServiceProcess, startProcess } from '../support/processes/process.ts';
import { createTestDatabase, describeOnEachEngine, type TestDatabase } from '../support/runner/engines.ts';
import { mailEnvironment, startSmtpServer, type TestSmtpServer } from '../support/smtp-server.ts';
import { until } from '../support/until.ts';

const SECRET_KEY = 'the-common-secret-of-both-releases';
const LATER_TYPE = 'user.shoes_bought' as EventType;
const STORE_SETTING = sql("insert into run_time_settings (name, value) values ('SHOE_SHOP', 'open')");
const LAST_ERROR = sql<{ last_error: string | null }>(
  "select last_error from jobs where kind = 'shoe_reminder'",
);

describeOnEachEngine('a node of this release', (engine) => {
  let testDatabase: TestDatabase;
  let smtp: TestSmtpServer;
  let database: Database | undefined;
  before(async () => {
    testDatabase = await createTestDatabase(engine);
    smtp = await startSmtpServer();
  });
  after(async () => {
    await database?.close();
    await smtp.close();
    await testDatabase.remove();
  });
  const start = (environment = {}): Promise<ServiceProcess> =>
    startProcess(testDatabase, { SECRET_KEY, ...mailEnvironment(smtp), ...environment });
  const migrate = async (...options: string[]) => {
    const environment = toEnvironment(testDatabase, NEXT_RELEASE);
    return (await runToEnd(['src/cli.ts', 'migrate', ...options], environment)).lines;
  };

  test('a node of this release runs again after the next one has expanded the schema, with the data of both', async () => {
    const user = newUserData();
    const first = await start();
    assert.equal((await first.api.post('/api/register', user)).status, 201);
    await first.kill('SIGTERM');
    const next = await start(NEXT_RELEASE);
    assert.match(next.output(), /migrating the database: step 1 of 1 \(shoe sizes\)/);
    const { access_token: token } = (await next.api.post('/api/login', user)).body;
    await next.kill('SIGTERM');
    const { api, kill } = await start();
    assert.equal((await api.get('/api/v1/me', { token })).body.data.email, user.email);
    assert.equal((await api.post('/api/register', newUserData())).status, 201);
    const findings = (await api.get('/api/v1/admin/checks', admin)).body.data.checks;
    const schema = findings.find(({ check }: { check: string }) => check === 'schema');
    assert.equal(schema.status, 'ok');
    assert.match(schema.message, new RegExp(`later release \\(version ${LAST + 1}\\)`));
    await kill('SIGTERM');
  });

  // What follows is read and written by the same statements on both engines.
  if (engine === 'postgres') return;

  test('a node of this release serves events, settings and mail of later kinds, and leaves them in the database', async () => {
    const { url: databaseUrl, directory: dataDir } = testDatabase;
    const opened = openDatabase({ databaseUrl, dataDir, databasePool: 1 });
    const later = withMarks(opened, () => SECRET_KEY);
    database = later;
    const now = Date.now();
    await later.transaction(async (tx) => {
      await tx.run(STORE_SETTING);
      await insertMail(tx, {
        id: newId(),
        kind: 'shoe_reminder' as MailKind,
        user_id: null,
        email: 'ada@example.org',
        email_key: 'ada@example.org',
        data: '{}',
        origin: 'user',
        priority: 0,
        next_attempt_at: now,
        created_at: now,
        expires_at: now + HOUR,
      });
      await insertEvents(tx, [
        {
          id: newId(),
          created_at: now,
          type: LATER_TYPE,
          subject: null,
          actor: 'system',
          actor_id: null,
          outcome: 'success',
          reason: null,
          data: '{}',
          network: null,
          device: null,
        },
      ]);
    });
    const { api, kill } = await start();
    // Without the client of the tests, which rejects types that the description does not name.
    const get = async (path: string) =>
      (await fetch(api.url + path, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })).text();
    await until(
      async () => (await get('/api/v1/events?limit=3')).includes(LATER_TYPE),
      'the event is listed',
    );
    await until(async () => (await later.get(LAST_ERROR))!.last_error !== null, 'the message was tried');
    assert.deepEqual(await later.all(LAST_ERROR), [{ last_error: 'cannot be composed' }]);
    assert.ok(!(await get('/api/v1/admin/settings')).includes('SHOE_SHOP'));
    const { code, lines } = await runCommand(
      ['events', 'verify'],
      toEnvironment(testDatabase, { SECRET_KEY }),
    );
    assert.equal(code, 0, lines.join('\n'));
    await kill('SIGTERM');
  });

  test('a node of this release does not start on the schema after a contract, which only an option applies', async () => {
    assert.match(
      (await migrate()).join(),
      /^The database is up to date\.,1 contract migration waits: .*--contract/,
    );
    assert.match((await migrate('--contract')).join(), /Applied 1 migration\.$/);
    assert.deepEqual(await migrate('--contract'), ['The database is up to date.']);
    await assert.rejects(start(), new RegExp(`at version ${LAST + 2} .* ${LAST}: start the newer release`));
    const next = await start(NEXT_RELEASE);
    assert.equal((await next.api.get('/readyz')).status, 200);
    await next.kill('SIGTERM');
  });
});
