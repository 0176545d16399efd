import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { openTestDatabase, useTestDatabase } from '../../test/support/database.ts';
import { run } from '../../test/support/processes/commands.ts';
import { describeOnEachEngine, type TestDatabase } from '../../test/support/runner/engines.ts';
import { startService, toEnvironment } from '../../test/support/service.ts';
import { sql } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { migrations } from '../database/migrations/index.ts';
import { isCreated, openDatabase } from '../database/open.ts';
import { SecretKeyMismatch } from '../startup/prepare-database.ts';
import type { CommandContext } from './context.ts';
import { createProgram } from './run-command.ts';

const OTHER_SECRET = 'another-secret-than-that-of-the-start';

/** How a command treats a database with the schema of an older release. */
type Treatment = 'migrates it' | 'refuses it' | 'accepts it as it is' | 'does not open it';

const COMMANDS: Readonly<Record<string, readonly [Treatment, ...args: string[]]>> = {
  'accept-secret-key': ['refuses it'],
  'admin-token rotate': ['refuses it'],
  api: ['does not open it', 'getStatus', '--url', 'http://127.0.0.1:1'],
  'backup create': ['accepts it as it is', '-'],
  'backup restore': ['does not open it', '/does/not/exist'],
  'backup verify': ['does not open it', '/does/not/exist'],
  'credentials create': ['refuses it', 'desk', '--role', 'support'],
  doctor: ['accepts it as it is'],
  'events head': ['refuses it'],
  'events verify': ['refuses it'],
  'mail retry': ['refuses it'],
  migrate: ['migrates it'],
  openapi: ['does not open it'],
  routes: ['does not open it'],
  'signing-keys list': ['refuses it'],
  'signing-keys rotate': ['refuses it'],
  'statistics recompute': ['refuses it'],
  'users export': ['refuses it'],
  'users import': ['refuses it', '-', '--format', 'csv'],
};

/** Commands that may precede the first start: others refuse an empty database, too. */
const CREATING = ['accept-secret-key', 'admin-token rotate', 'credentials create', 'users import'];

function listCommands(command: Command, path: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(' ')];
  return command.commands.flatMap((each) => listCommands(each, [...path, each.name()]));
}

describeOnEachEngine('commands on the schema of another release', (engine) => {
  const readVersions = async ({ url, directory }: TestDatabase) => {
    const settings = { databaseUrl: url, dataDir: directory, databasePool: 1 };
    if (!isCreated(settings)) return [];
    const database = openDatabase(settings);
    try {
      const hasVersions = await database.hasTable('schema_migrations');
      return hasVersions ? await database.all(sql('select version, applied_at from schema_migrations')) : [];
    } finally {
      await database.close();
    }
  };
  const runIn = async (testDatabase: TestDatabase, name: string) => {
    const [treatment, ...args] = COMMANDS[name]!;
    const environment = toEnvironment(testDatabase, name === 'admin-token rotate' ? { ADMIN_TOKEN: '' } : {});
    const before = await readVersions(testDatabase);
    const { code, lines } = await run([...name.split(' '), ...args], environment);
    const hasChanged = JSON.stringify(await readVersions(testDatabase)) !== JSON.stringify(before);
    return { treatment, code, lines, hasChanged };
  };

  test('of the commands that need a database, those that may precede the first start create it; the others name the way on', async (context) => {
    for (const [name, [treatment]] of Object.entries(COMMANDS)) {
      if (treatment !== 'refuses it') continue;
      const testDatabase = await openTestDatabase(context, engine);
      const { lines, hasChanged } = await runIn(testDatabase, name);
      // Without a file, there is no record in which the new credential could be an event.
      const creates = CREATING.includes(name) && !(engine === 'sqlite' && name === 'admin-token rotate');
      assert.equal(hasChanged, creates, `${name}: ${lines}`);
      if (!CREATING.includes(name))
        assert.match(
          lines.join(),
          /^[a-z-]+: (?:the database is empty|there is no database in .*): run "npm/,
        );
    }
  });

  if (engine === 'postgres') return;

  test('a directory that cannot be read is not taken for one without a database', async (context) => {
    const testDatabase = await openTestDatabase(context, engine);
    // As that of another user is, but for the owner of all files as well.
    const DATA_DIR = join(testDatabase.directory, 'circular');
    symlinkSync('circular', DATA_DIR);
    for (const name of ['users export', 'backup create', 'doctor']) {
      const { lines } = await run(name.split(' '), toEnvironment(testDatabase, { DATA_DIR }));
      assert.match(
        lines.join('\n'),
        /^(users:|backup:|error +database) +The database is unavailable: ELOOP/m,
      );
    }
  });

  test('only migrate migrates a database of an older release; commands that need the schema refuse with the way on', async (context) => {
    assert.deepEqual(listCommands(createProgram({} as CommandContext)).sort(), Object.keys(COMMANDS).sort());
    const testDatabase = await openTestDatabase(context, engine);
    const { url, directory } = testDatabase;
    const database = openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 1 });
    await migrate(database, migrations.slice(0, -1)).finally(() => database.close());
    const names = Object.keys(COMMANDS).filter((name) => name !== 'migrate');
    for (const name of [...names, 'migrate']) {
      const { treatment, code, lines, hasChanged } = await runIn(testDatabase, name);
      assert.equal(hasChanged, treatment === 'migrates it', name);
      if (treatment !== 'refuses it') continue;
      const line = `${name.split(' ')[0]}: the database has the schema of an older release: run "npm run cli -- migrate", or start the service`;
      assert.deepEqual([code, lines], [1, [line]], name);
    }
  });
});

describeOnEachEngine('cli', (engine) => {
  const testDatabase = useTestDatabase(engine);

  test('cli migrate creates the database and its directory, and reports the second time that it is up to date', async () => {
    const DATA_DIR = join(testDatabase.directory, 'created', 'by-migrate');
    const migrate = () => run(['migrate'], toEnvironment(testDatabase, { DATA_DIR }));
    const first = await migrate();
    assert.equal(first.code, 0, first.lines.join('\n'));
    assert.match(first.lines.join(), /^Applied \d+ migrations\.$/);
    assert.deepEqual((await migrate()).lines, ['The database is up to date.']);
  });

  test('cli accept-secret-key lets a service with another SECRET_KEY start on the database', async () => {
    await (await startService(engine, { testDatabase })).stop();
    const environment = { SECRET_KEY: OTHER_SECRET };
    await assert.rejects(startService(engine, { testDatabase, environment }), SecretKeyMismatch);
    const { code, lines } = await run(['accept-secret-key'], toEnvironment(testDatabase, environment));
    assert.equal(code, 0, lines.join('\n'));
    assert.ok(!lines.join().includes(OTHER_SECRET));
    const service = await startService(engine, { testDatabase, environment });
    assert.equal((await service.api.get('/readyz')).status, 200);
    await service.stop();
  });
});
