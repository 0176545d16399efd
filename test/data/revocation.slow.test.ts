/** Changes of tokens, users and credentials take effect on the first request after their commit, whoever commits. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { type Database, type Statement, sql } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { createCredential } from '../support/credentials.ts';
import { describeStorage, SQLITE_FILE } from '../support/runner/engines.ts';
import { admin, type TestService, useService } from '../support/service.ts';
import { insertLoggedInUser } from '../support/users.ts';

const ROUNDS = 3;
const READERS = 4;

type User = Awaited<ReturnType<typeof insertLoggedInUser>>;

const readMe = ({ api }: TestService, token: string) => api.get('/api/v1/me', { token });

/** Ends the use of a token by `end` while it is in use, and returns the status of the first request after it. */
async function endBesideReaders(service: TestService, { token }: User, end: () => Promise<unknown>) {
  let isOver = false;
  const readAllTheTime = async () => {
    const statuses: number[] = [];
    while (!isOver) statuses.push((await readMe(service, token)).status);
    return statuses;
  };
  assert.equal((await readMe(service, token)).status, 200);
  const reading = Array.from({ length: READERS }, readAllTheTime);
  await end();
  const { status } = await readMe(service, token);
  isOver = true;
  for (const statuses of await Promise.all(reading)) {
    const afterwards = statuses.slice(statuses.lastIndexOf(200) + 1);
    assert.equal(statuses.filter((each) => each !== 200).length, afterwards.length, `${statuses}`);
  }
  return status;
}

const DELETE_TOKENS = sql('delete from tokens where user_id = $1');
const NARROW = sql("update tokens set scopes = 'tokens:manage' where user_id = $1");
const EXPIRE = sql('update tokens set expires_at = 1 where user_id = $1');

describeStorage('changes beside requests', (engine) => {
  const service = useService(engine);
  let other: Database;

  before(() => {
    const { url, directory } = service.testDatabase;
    other = openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 2 });
  });
  after(() => other.close());

  const byApi: Readonly<Record<string, (user: User) => Promise<{ readonly status: number }>>> = {
    'logs out': ({ token }) => service.api.post('/api/logout', {}, { token }),
    'revokes the tokens': ({ id }) => service.api.delete(`/api/v1/users/${id}/tokens`, admin),
    'disables the user': ({ id }) =>
      service.api.patch(
        `/api/v1/users/${id}`,
        { state: 'disabled' },
        { ...admin, headers: { 'if-match': '*' } },
      ),
    'erases the user': ({ id }) => service.api.delete(`/api/v1/users/${id}`, admin),
  };
  for (const [act, request] of Object.entries(byApi)) {
    test(`a token is rejected by the first request after a response that ${act}`, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const user = await insertLoggedInUser(service.database);
        const end = async () => assert.ok((await request(user)).status < 300);
        assert.equal(await endBesideReaders(service, user, end), 401);
      }
    });
  }

  const elsewhere: readonly (readonly [string, Statement<unknown>, number])[] = [
    ['deletes it', DELETE_TOKENS, 401],
    ['lets it expire', EXPIRE, 401],
    ['takes its scope', NARROW, 403],
  ];
  for (const [act, statement, expected] of elsewhere) {
    test(`a token is rejected by the first request after another connection ${act}`, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const user = await insertLoggedInUser(service.database);
        const end = () => other.transaction((tx) => tx.run(statement, user.id));
        assert.equal(await endBesideReaders(service, user, end), expected);
      }
    });
  }

  test('a record that another connection changes is in the next response', async () => {
    const user = await insertLoggedInUser(service.database);
    const rename = sql('update users set name = $2, version = version + 1 where id = $1');
    for (let round = 0; round < ROUNDS; round++) {
      await readMe(service, user.token);
      await other.transaction((tx) => tx.run(rename, user.id, `Name ${round}`));
      assert.equal((await readMe(service, user.token)).body.data.name, `Name ${round}`);
    }
  });

  test('a verification says that a token is inactive, and a credential is rejected, at once after their deletion', async () => {
    const remove = sql('delete from credentials where id = $1');
    for (let round = 0; round < ROUNDS; round++) {
      const { token, id } = await insertLoggedInUser(service.database);
      const { secret, record } = await createCredential(service, ['tokens:verify']);
      const verify = () => service.api.post('/api/v1/tokens/verify', { token }, { token: secret });
      assert.equal((await verify()).body.active, true);
      await other.transaction((tx) => tx.run(DELETE_TOKENS, id));
      assert.deepEqual((await verify()).body, { active: false });
      await other.transaction((tx) => tx.run(remove, record.id));
      assert.equal((await verify()).status, 401);
    }
  });
});

/** Runs in a process of its own. */
const DELETE_IN_PROCESS = `
  const [file, user] = process.argv.slice(1);
  new (require('better-sqlite3'))(file).prepare('delete from tokens where user_id = ?').run(user);`;

describe('changes of another process', () => {
  const service = useService('sqlite');

  test('a token that another process deletes from the SQLite file is rejected by the next request', async () => {
    const user = await insertLoggedInUser(service.database);
    const file = join(service.testDatabase.directory, SQLITE_FILE);
    const end = () => promisify(execFile)(process.execPath, ['-e', DELETE_IN_PROCESS, file, user.id]);
    assert.equal(await endBesideReaders(service, user, end), 401);
  });
});

describeStorage('the passage of time', (engine) => {
  let now = Date.now();
  const service = useService(engine, { clock: () => now });

  test('a token and a credential are rejected from the moment at which they expire, without a commit', async () => {
    const { token } = await insertLoggedInUser(service.database, now);
    const expiresAt = now + 86_400_000;
    const settings = { expires_at: new Date(expiresAt).toISOString() };
    const { secret } = await createCredential(service, ['tokens:verify'], settings);
    const verify = () => service.api.post('/api/v1/tokens/verify', { token }, { token: secret });
    for (now of [now, expiresAt - 1]) assert.equal((await verify()).body.active, true);
    now = expiresAt;
    assert.equal((await verify()).status, 401);
    assert.equal((await readMe(service, token)).status, 200);
    now += 29 * 86_400_000;
    assert.equal((await readMe(service, token)).status, 401);
  });
});
