import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { useTestDatabase } from '../../test/support/database.ts';
import { run as runCommand } from '../../test/support/processes/commands.ts';
import { toEnvironment } from '../../test/support/service.ts';

describe('cli', () => {
  const testDatabase = useTestDatabase('sqlite');
  const run = (args: string[], environment: Record<string, string> = {}) =>
    runCommand(args, toEnvironment(testDatabase, environment));

  test('cli openapi prints the checked-in description and writes no data', async () => {
    const { code, stdout } = await run(['openapi']);
    assert.equal(code, 0);
    const checkedIn = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
    assert.deepEqual(JSON.parse(stdout), JSON.parse(checkedIn));
    assert.deepEqual(readdirSync(testDatabase.directory), []);
  });

  test('cli routes prints the checked-in table of routes, in which each line states an access', async () => {
    const { code, stdout } = await run(['routes']);
    assert.equal(code, 0);
    assert.equal(stdout, readFileSync(new URL('../../docs/routes.txt', import.meta.url), 'utf8'));
    const [, ...routes] = stdout.trimEnd().split('\n');
    for (const route of routes) assert.match(route, /^[A-Z]+ +\/\S* +(?:public|optional|user|admin) /);
    assert.deepEqual(readdirSync(testDatabase.directory), []);
  });

  const COMMANDS = ['migrate', 'openapi', 'routes', 'accept-secret-key', 'statistics'];

  function assertUsage(lines: readonly string[], message: string): void {
    const start = lines.findIndex((line) => line.startsWith('Usage: npm run cli -- '));
    assert.ok(start >= 0, `${message}: ${lines.join('\n')}`);
    for (const name of COMMANDS) {
      assert.ok(
        lines.slice(start).some((line) => line.trimStart().startsWith(`${name} `)),
        `${message}: ${name}`,
      );
    }
  }

  test('cli exits with 1 and prints its commands on standard error when the command is missing or unknown', async () => {
    for (const args of [[], ['constructor'], ['--unknown']]) {
      const { code, stdout, lines } = await run(args);
      assert.deepEqual([code, stdout], [1, '']);
      assertUsage(lines, args.join());
    }
  });

  test('cli exits with 0 and prints its commands with --help', async () => {
    for (const args of [['--help'], ['help']]) {
      const { code, stdout } = await run(args);
      assert.equal(code, 0);
      assertUsage(stdout.split('\n'), args.join());
    }
    for (const name of COMMANDS) {
      const { code, lines } = await run([name, '--help']);
      assert.equal(code, 0);
      assert.match(lines[0]!, new RegExp(`^Usage: npm run cli -- ${name} \\[options\\]`));
    }
  });

  test('cli exits with 1 and one line when a setting is invalid or the database unavailable', async () => {
    const wrong = await run(['migrate'], { PORT: 'x' });
    assert.deepEqual([wrong.code, wrong.lines.length], [1, 1]);
    assert.match(wrong.lines[0]!, /^migrate: PORT /);
    const away = await run(['migrate'], { DATABASE_URL: 'postgres://user:the-password@127.0.0.1:1/x' });
    assert.deepEqual([away.code, away.lines.length], [1, 1]);
    assert.match(away.lines[0]!, /^migrate: The database is unavailable: (?!.*the-password)/);
  });
});
