import assert from 'node:assert/strict';
import { chmodSync, chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fromConsole, SESSION_PATH, signIn } from '../../test/support/browser/console-session.ts';
import { useTestDatabase } from '../../test/support/database.ts';
import { run } from '../../test/support/processes/commands.ts';
import { describeOnSqlite } from '../../test/support/runner/engines.ts';
import { startService, type TestService, toEnvironment } from '../../test/support/service.ts';
import { readOrCreateSecretFile } from '../startup/secret-files.ts';

const FILE_MODE = { ADMIN_TOKEN: '' };
const ROTATE = ['admin-token', 'rotate'];

describeOnSqlite('cli admin-token rotate', (engine) => {
  const testDatabase = useTestDatabase(engine);
  const start = () => startService(engine, { testDatabase, environment: FILE_MODE });
  const file = () => join(testDatabase.directory, 'admin-token');
  const credential = () => readFileSync(file(), 'utf8').trim();
  const rotate = () => run(ROTATE, toEnvironment(testDatabase, FILE_MODE));
  const getStatus = async ({ api }: TestService, token: string) =>
    (await api.get('/api/v1/admin/dashboard', { token })).status;
  const sessionStatus = async ({ api }: TestService, cookie: string) =>
    (await api.get(SESSION_PATH, fromConsole(cookie))).status;

  test('cli admin-token rotate fails with 1 and one line if there is no file yet', async () => {
    const { code, lines } = await rotate();
    assert.deepEqual([code, lines.length], [1, 1]);
  });

  test('cli admin-token rotate makes a running service accept the new credential, and the old ones until a restart', async () => {
    const first = await start();
    const old = credential();
    const oldSession = await signIn(first, old);
    const { code, lines } = await rotate();
    assert.equal(code, 0, lines.join('\n'));
    const second = credential();
    assert.match(second, /^[0-9a-f]{64}$/);
    assert.notEqual(second, old);
    assert.ok(!lines.join().includes(second));
    assert.match(lines.join(), /accepts it at once, and the old one until it is restarted\.$/);
    await rotate();
    const latest = credential();
    assert.deepEqual([await getStatus(first, latest), await getStatus(first, old)], [200, 200]);
    assert.equal(await getStatus(first, second), 401, 'no request has presented it while it was in the file');
    const newSession = await signIn(first, latest);
    for (const session of [oldSession, newSession]) assert.equal(await sessionStatus(first, session), 200);
    const replacements = first.log.filter(({ msg }) => /credential was replaced/.test(String(msg)));
    assert.deepEqual(
      replacements.map((line) => line.file),
      [file()],
    );
    await first.stop();
    const restarted = await start();
    assert.deepEqual([await getStatus(restarted, latest), await getStatus(restarted, old)], [200, 401]);
    assert.deepEqual(
      [await sessionStatus(restarted, newSession), await sessionStatus(restarted, oldSession)],
      [200, 401],
    );
    await restarted.stop();
  });

  test('a service keeps its credential while the file has no valid one, and logs that', async () => {
    const service = await start();
    const valid = credential();
    writeFileSync(file(), 'short\n');
    assert.equal(await getStatus(service, 'short'), 401);
    assert.equal(await getStatus(service, 'another'), 401);
    assert.equal(await getStatus(service, valid), 200);
    const warnings = service.log.filter(({ msg }) => /has changed and cannot be used/.test(String(msg)));
    assert.equal(warnings.length, 1);
    writeFileSync(file(), `${valid}\n`);
    await service.stop();
  });
});

describe('cli admin-token rotate', () => {
  const testDatabase = useTestDatabase('sqlite');
  before(async () => {
    readOrCreateSecretFile(testDatabase.directory, 'admin-token');
  });
  const file = () => join(testDatabase.directory, 'admin-token');
  const rotate = () => run(ROTATE, toEnvironment(testDatabase, FILE_MODE));

  test('cli admin-token rotate leaves one file, which no more users can read than could read the old one', async () => {
    for (const [before, after] of [
      [0o600, 0o600],
      [0o400, 0o400],
      [0o644, 0o600],
    ] as const) {
      chmodSync(file(), before);
      const old = readFileSync(file(), 'utf8');
      assert.equal((await rotate()).code, 0);
      assert.notEqual(readFileSync(file(), 'utf8'), old);
      assert.equal(statSync(file()).mode & 0o777, after);
      assert.deepEqual(readdirSync(testDatabase.directory), ['admin-token']);
    }
  });

  const onlyRoot = process.geteuid?.() === 0 ? {} : { skip: 'only root can give files away' };
  test(
    'cli admin-token rotate keeps owner and group of the file, so that the service can read it after root',
    onlyRoot,
    async () => {
      for (const [uid, gid, mode] of [
        [1000, 1000, 0o600],
        [0, 1000, 0o640],
      ] as const) {
        chownSync(file(), uid, gid);
        chmodSync(file(), mode);
        assert.equal((await rotate()).code, 0);
        const status = statSync(file());
        assert.deepEqual([status.uid, status.gid, status.mode & 0o777], [uid, gid, mode]);
      }
    },
  );

  test('cli admin-token rotate explains the rotation by the setting and exits with 1 when ADMIN_TOKEN is set', async () => {
    const { code, lines } = await run(ROTATE, toEnvironment(testDatabase));
    assert.deepEqual([code, lines.length], [1, 1]);
    assert.match(lines[0]!, /^admin-token: ADMIN_TOKEN is set: .*ADMIN_TOKEN=<new>,<old>/);
  });
});
