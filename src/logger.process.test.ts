import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { useTestDatabase } from '../test/support/database.ts';
import { newUserData } from '../test/support/environment.ts';
import { run, runToEnd, startProcess } from '../test/support/processes/process.ts';
import { describeOnEachEngine } from '../test/support/runner/engines.ts';
import { sql } from './database/database.ts';
import { openDatabase } from './database/open.ts';
import type { LoggerOptions } from './logger.ts';

const MODULE = JSON.stringify(join(import.meta.dirname, 'logger.ts'));
const SECRET = 'a-secret-that-must-not-be-logged';

/** Returns the arguments of a process that runs the statements with `logger` and `flush`. */
const program = (statements: string, options: Partial<LoggerOptions> = {}) => [
  '--input-type=module',
  '--eval',
  `import { createLogger } from ${MODULE};
  const { logger, flush } = await createLogger(${JSON.stringify({ level: 'info', isTerminal: false, ...options })});
  ${statements}`,
];

/** Runs the statements in a new process and returns the lines of its output. */
async function captureOutput(statements: string, options: Partial<LoggerOptions> = {}): Promise<string[]> {
  const { code, lines } = await runToEnd(program(`${statements}; await flush();`, options));
  assert.equal(code, 0, lines.join('\n'));
  return lines;
}

describe('the log', () => {
  test('the log is JSON lines with level, time in UTC and message, without the host name', async () => {
    const lines = await captureOutput(`logger.info({ route: '/livez' }, 'responded'); logger.warn('odd')`);
    const [first, second] = lines.map((line) => JSON.parse(line));
    assert.deepEqual(Object.keys(first), ['level', 'time', 'route', 'msg']);
    assert.deepEqual([first.level, first.route, first.msg], [30, '/livez', 'responded']);
    assert.equal(new Date(first.time).toISOString(), first.time);
    assert.deepEqual([second.level, second.msg], [40, 'odd']);
  });

  test('the log is written completely by flush before the process exits', async () => {
    const lines = await captureOutput(`
      for (let index = 0; index < 5_000; index++) logger.info('line ' + index);
      await flush();
      process.exit(0)`);
    assert.equal(lines.length, 5_000);
    assert.equal(JSON.parse(lines.at(-1)!).msg, 'line 4999');
  });

  test('the log contains the lines that its level allows, and none with level silent', async () => {
    const statements = `logger.info('a'); logger.warn('b'); logger.error('c')`;
    const levels = (await captureOutput(statements, { level: 'warn' })).map((line) => JSON.parse(line).level);
    assert.deepEqual(levels, [40, 50]);
    assert.deepEqual(await captureOutput(statements, { level: 'silent' }), []);
  });

  for (const isTerminal of [false, true]) {
    test(`the log contains no secret in members, headers, bodies or requests (${isTerminal ? 'terminal' : 'JSON'})`, async () => {
      const names = [
        'authorization',
        'cookie',
        'set-cookie',
        'password',
        'access_token',
        'credential',
        'token',
        'idempotency-key',
      ];
      const secrets = JSON.stringify(Object.fromEntries(names.map((name) => [name, SECRET])));
      const statements = `
        logger.info(${secrets});
        logger.info({ headers: ${secrets}, body: ${secrets} });
        logger.child(${secrets}).info('of a child');
        logger.info({ request: { headers: ${secrets} }, response: { data: ${secrets} } })`;
      const lines = await captureOutput(statements, { isTerminal });
      assert.equal(lines.filter((line) => isTerminal === /^\d/.test(line)).length, 4);
      for (const line of lines) assert.ok(!line.includes(SECRET), line);
    });
  }

  test('the log contains an error with its causes, but not what the driver adds about the row', async () => {
    const [line] = await captureOutput(`
      const details = { detail: 'Key (email)=(${SECRET})', where: '${SECRET}', parameters: ['${SECRET}'], hint: '${SECRET}' };
      const driver = Object.assign(new Error('duplicate key'), { code: '23505', ...details });
      const middle = new Error('the row was rejected', { cause: driver });
      logger.error({ err: new Error('not registered', { cause: middle }) })`);
    assert.ok(!line!.includes(SECRET), `${line}`);
    const { err } = JSON.parse(line!);
    assert.equal(err.message, 'not registered');
    assert.match(err.stack, /^Error: not registered\n +at /);
    assert.equal(err.cause.message, 'the row was rejected');
    assert.equal(err.cause.cause.message, 'duplicate key');
    assert.equal(err.cause.cause.code, '23505');
  });

  test('the log accepts thrown values that are no errors', async () => {
    const lines = await captureOutput(`for (const err of ['text', null, 7, {}]) logger.error({ err })`);
    assert.equal(lines.length, 4);
    assert.equal(JSON.parse(lines[0]!).err.message, 'text');
  });

  describe('the log on a terminal', () => {
    const captureLines = (statements: string) => captureOutput(statements, { isTerminal: true });
    const id = 'b6da2bcc-c41c-4ecb-9672-d8a6c7f03b1e';
    const requestLine = (members: object) => {
      return `logger.info(${JSON.stringify({ request_id: id, ...members })})`;
    };

    test('the log on a terminal is a line with time, method, route, status, duration and id start for each request', async () => {
      const lines = await captureLines(
        [
          requestLine({ method: 'POST', route: '/api/register', status: 201, ms: 757.61, token_hash: 'ab' }),
          requestLine({ method: 'GET', route: null, status: 404, ms: 0.31 }),
        ].join(';'),
      );
      assert.equal(lines.length, 2);
      assert.match(lines[0]!, /^\d\d:\d\d:\d\d POST \/api\/register 201 758 ms b6da2bcc$/);
      assert.match(lines[1]!, /^\d\d:\d\d:\d\d GET \(no route\) 404 0\.3 ms b6da2bcc$/);
    });

    test('the log on a terminal marks levels other than info', async () => {
      const lines = await captureLines(
        "logger.info('started'); logger.warn('late'); logger.error('broken'); logger.fatal('over')",
      );
      assert.match(lines[0]!, /^\d\d:\d\d:\d\d started$/);
      assert.deepEqual(
        lines.map((line) => line.slice(9)),
        ['started', 'WARN late', 'ERROR broken', 'FATAL over'],
      );
    });

    test('the log on a terminal shows other members, and errors with stack and causes, on lines of their own', async () => {
      const lines = await captureLines(`
        const cause = Object.assign(new Error('inner'), { code: 'E1' });
        logger.error({ request_id: '${id}', err: new Error('outer', { cause }) }, 'failed');
        logger.info({ link: 'https://example.com/${'x'.repeat(120)}' })`);
      assert.match(lines[0]!, / ERROR failed$/);
      assert.equal(lines[1], `    request_id: "${id}"`);
      const rest = lines.join('\n');
      for (const part of ['Error: outer\n', 'Error: inner\n', '"code": "E1"', '    at '])
        assert.ok(rest.includes(part), `${part} in ${rest}`);
      assert.equal(lines.at(-1), `    link: "https://example.com/${'x'.repeat(120)}"`);
    });
  });
});

describe('a log that cannot be written', () => {
  test('a log that cannot be written reports how many lines were dropped once its reader continues', async () => {
    const { child, find } = run(
      program(`for (let index = 0; index < 110_000; index++) logger.info('~'.repeat(150));
        console.error('full');
        process.stdin.resume();`),
    );
    child.stdout!.pause();
    await find(/(full)/);
    for await (const line of createInterface(child.stdout!)) {
      if (!line.includes('dropped_lines')) continue;
      const { level, dropped_lines: dropped, msg } = JSON.parse(line);
      assert.equal(level, 40);
      assert.equal(msg, 'log lines were dropped because standard output could not be written');
      assert.ok(dropped > 0 && dropped < 110_000, line);
      break;
    }
    child.kill('SIGKILL');
  });
});

describeOnEachEngine('the log of a failure in the database', (engine) => {
  const testDatabase = useTestDatabase(engine);

  /** Adds a constraint that the service does not know and that every new token violates. */
  const breakTokens = async () => {
    const { url, directory } = testDatabase;
    const database = openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 1 });
    const breaking =
      engine === 'postgres'
        ? 'alter table tokens add constraint broken check (false) not valid'
        : "create trigger broken before insert on tokens begin select raise(abort, 'broken'); end";
    await database.transaction((tx) => tx.run(sql(breaking))).finally(() => database.close());
  };

  test('the log of a failure in the database contains the request id and the failure, and no personal data', async () => {
    const service = await startProcess(testDatabase, { LOG_LEVEL: 'trace' });
    await breakTokens();
    const person = newUserData();
    const { status, headers } = await service.api.post('/api/register', person);
    assert.equal(status, 500);
    const { lines } = await service.kill('SIGTERM');
    const log = lines.join('\n');
    for (const personal of [person.email, person.name, person.password])
      assert.ok(!log.includes(personal), log);
    const failure = lines
      .slice(1)
      .map((line) => JSON.parse(line))
      .find(({ level }) => level === 50);
    assert.equal(failure.request_id, headers.get('x-request-id'));
    assert.match(failure.err.message, /broken/);
  });
});
