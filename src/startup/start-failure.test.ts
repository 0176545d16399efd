import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { useTestDatabase } from '../../test/support/database.ts';
import { ENGINES, type TestDatabase } from '../../test/support/runner/engines.ts';
import { startService, toEnvironment } from '../../test/support/service.ts';
import { type ProcessEnvironment, readEnvironment } from '../config/environment-file.ts';
import { readConfig } from '../config.ts';
import { sql } from '../database/database.ts';
import { openDatabase } from '../database/open.ts';
import { createLog } from '../lib/log/log.ts';
import { start } from './start.ts';
import { describeStartFailure } from './start-failure.ts';

/** Starts a service as the process does, expects that it fails, and returns the line that the process prints. */
async function getStartFailure(
  testDatabase: TestDatabase,
  variables: Record<string, string>,
  directory = testDatabase.directory,
): Promise<string> {
  let environment: ProcessEnvironment | undefined;
  try {
    environment = readEnvironment(directory, toEnvironment(testDatabase, variables));
    await (await start(readConfig(environment.variables), createLog('silent'))).stop();
  } catch (error) {
    const line = describeStartFailure(error, environment);
    assert.doesNotMatch(line, /\n/);
    return line;
  }
  assert.fail('the service has started');
}

const SECRET = 'a-secret-that-no-message-contains';

describe('the line of a failed start', () => {
  const testDatabase = useTestDatabase('sqlite');
  /** Starts have a directory each. */
  const newDirectory = () => mkdtempSync(join(testDatabase.directory, 'data-'));

  // config.test.ts has all other settings, which are rejected in the same way as PORT.
  const wrongSettings: Record<string, string> = {
    HOST: 'no-such\nhost.invalid',
    PORT: '65536',
    DATABASE_URL: `mysql://user:${SECRET}@127.0.0.1/frontdesk`,
  };
  for (const [name, value] of Object.entries(wrongSettings)) {
    test(`a failed start names ${name} when its value is invalid`, async () => {
      const line = await getStartFailure(testDatabase, { [name]: value });
      assert.ok(line.includes(name), line);
      assert.ok(!line.includes(SECRET), 'the line contains a secret');
    });
  }

  test('a failed start names the variable and .env when a value in .env is invalid', async () => {
    const directory = newDirectory();
    writeFileSync(join(directory, '.env'), `LOG_LEVEL=loud\nSECRET_KEY=${SECRET}\n`);
    const line = await getStartFailure(testDatabase, {}, directory);
    assert.match(line, /^LOG_LEVEL must be .*, not "loud" \(in \/.*\/\.env\)$/);
  });

  test('a failed start names the port when another program listens on it', async (context) => {
    const other = createServer().listen(0, '127.0.0.1');
    context.after(() => other.close());
    await new Promise((resolve) => other.on('listening', resolve));
    const port = String((other.address() as AddressInfo).port);
    const line = await getStartFailure(testDatabase, { PORT: port, DATA_DIR: newDirectory() });
    assert.match(line, new RegExp(`127\\.0\\.0\\.1:${port} .*PORT`));
  });

  test('a failed start names HOST when the address cannot be listened on', async () => {
    const failureOn = (HOST: string) => getStartFailure(testDatabase, { HOST, DATA_DIR: newDirectory() });
    assert.match(await failureOn('fe80::1'), /^\[fe80::1\] .*EINVAL \(HOST, PORT\)$/);
    assert.match(await failureOn('192.0.2.1'), /^192\.0\.2\.1 .*\(HOST\)$/);
  });

  test('a failed start names DATA_DIR when it cannot be written', async () => {
    const file = join(testDatabase.directory, 'a-file');
    writeFileSync(file, '');
    assert.match(await getStartFailure(testDatabase, { DATA_DIR: join(file, 'data') }), /DATA_DIR .*a-file/);
    assert.match(await getStartFailure(testDatabase, { DATA_DIR: '/proc/foo' }), /DATA_DIR .*\/proc\/foo/);
  });

  const damages: Record<string, (path: string) => void> = {
    'the database is a file of another kind': (path) => writeFileSync(path, 'no database '.repeat(999)),
    'the database is a directory': (path) => mkdirSync(path),
  };
  for (const [name, damage] of Object.entries(damages)) {
    test(`a failed start names the file when ${name}`, async () => {
      const directory = join(testDatabase.directory, name.replaceAll(' ', '-'));
      mkdirSync(directory);
      damage(join(directory, 'frontdesk.db'));
      assert.match(
        await getStartFailure(testDatabase, { DATA_DIR: directory }),
        /frontdesk\.db.* \(DATA_DIR\)$/,
      );
    });
  }

  test('a failed start names the secret file when it contains no secret or is no file', async () => {
    const DATA_DIR = newDirectory();
    const file = join(DATA_DIR, 'admin-token');
    const failure = () => getStartFailure(testDatabase, { ADMIN_TOKEN: '', DATA_DIR });
    writeFileSync(file, 'too short\n');
    assert.ok((await failure()).includes(`${file} does not contain`));
    rmSync(file);
    mkdirSync(file);
    assert.ok((await failure()).includes(`${file} is not a regular file`));
  });

  test('a failed start names DATABASE_URL when PostgreSQL is not reachable', async () => {
    const url = `postgres://user:${SECRET}@127.0.0.1:1/frontdesk`;
    const line = await getStartFailure(testDatabase, { DATABASE_URL: url });
    assert.match(line, /127\.0\.0\.1:1 \(DATABASE_URL\)$/);
    assert.ok(!line.includes(SECRET));
  });

  test('a failed start names DATABASE_URL when it names a certificate that does not exist', async () => {
    const url = 'postgres://127.0.0.1:1/frontdesk?sslmode=verify-full&sslrootcert=/no-such.pem';
    const line = await getStartFailure(testDatabase, { DATABASE_URL: url });
    assert.match(line, /'\/no-such\.pem' \(DATABASE_URL\)$/);
  });

  const rejections: Record<string, (url: URL) => void> = {
    'has no such database': (url) => {
      url.pathname = '/no_such_database';
    },
    'rejects the password': (url) => {
      url.password = SECRET;
    },
  };
  for (const [name, change] of Object.entries(rejections)) {
    const skip = ENGINES.includes('postgres') ? false : 'it needs PostgreSQL';
    test(`a failed start contains the reason when PostgreSQL ${name}`, { skip }, async () => {
      const url = new URL(process.env.TEST_POSTGRES_URL!);
      change(url);
      const line = await getStartFailure(testDatabase, { DATABASE_URL: url.href });
      assert.match(line, /(no_such_database|password).* \(DATABASE_URL\)$/);
      assert.ok(!line.includes(SECRET));
    });
  }
});

describe('the line of a start on a database of another service or release', () => {
  const testDatabase = useTestDatabase('sqlite');
  before(async () => {
    await (await startService('sqlite', { testDatabase })).stop();
  });

  test('a failed start names the command to run when the database was set up with another SECRET_KEY', async () => {
    const line = await getStartFailure(testDatabase, { SECRET_KEY: SECRET });
    assert.match(line, /SECRET_KEY.*accept-secret-key/);
    assert.ok(!line.includes(SECRET));
  });

  test('a failed start names both versions when a later release has contracted the schema', async () => {
    const { url: databaseUrl, directory: dataDir } = testDatabase;
    const database = openDatabase({ databaseUrl, dataDir, databasePool: 1 });
    const record = sql("insert into schema_migrations values (9999, 'later', 0, 9999)");
    await database.transaction((tx) => tx.run(record)).finally(() => database.close());
    assert.match(await getStartFailure(testDatabase, {}), /\b9999\b.*\b\d+\b/);
  });
});
