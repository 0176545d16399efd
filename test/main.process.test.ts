import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import type { ApiResponse } from './support/api.ts';
import { openTestDatabase, useTestDatabase } from './support/database.ts';
import { admin, newUserData } from './support/environment.ts';
import { type ServiceProcess, startProcess } from './support/processes/process.ts';
import { createCurrentDatabase, describeOnEachEngine } from './support/runner/engines.ts';
import { until } from './support/until.ts';

async function newDatabase(context: TestContext) {
  const testDatabase = await openTestDatabase(context, 'sqlite', createCurrentDatabase);
  return testDatabase;
}

const LOGINS = 12;

/** Sends many logins to a single hashing thread. Returns their responses as soon as the first has arrived. */
async function queueLogins(service: ServiceProcess): Promise<Promise<ApiResponse>[]> {
  const { name, email, password } = newUserData();
  await service.api.post('/api/register', { name, email, password });
  // Opens the connections: a service that stops closes those on which it has received nothing yet.
  await Promise.all(Array.from({ length: LOGINS }, () => service.api.get('/livez')));
  const responses = Array.from({ length: LOGINS }, () => service.api.post('/api/login', { email, password }));
  await Promise.race(responses);
  return responses;
}

/** Opens connections whose clients never send the rest of the headers, or of the body. */
function connectUnfinished(context: TestContext, { api }: ServiceProcess): void {
  const { hostname, port } = new URL(api.url);
  const fields = 'Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n';
  for (const bytes of ['GET /livez HTTP/1.1\r\nHo', `POST /api/login HTTP/1.1\r\n${fields}{"email`]) {
    const client = connect(Number(port), hostname).on('error', () => {});
    context.after(() => client.destroy());
    client.write(bytes);
  }
}

async function assertNotListening(service: ServiceProcess): Promise<void> {
  await assert.rejects(service.api.get('/livez'), { code: 'ECONNREFUSED' });
}

describeOnEachEngine('the first line of the process', (engine) => {
  const testDatabase = useTestDatabase(engine);

  test('the process announces URL, store and credential on its first line, logs each request on one as JSON, and exits with 0 on SIGINT or SIGHUP', async () => {
    const service = await startProcess(testDatabase);
    await service.api.get('/livez');
    await until(() => service.output().includes('"route":"/livez"'), 'the request is logged');
    const { code, lines } = await service.kill(engine === 'sqlite' ? 'SIGHUP' : 'SIGINT');
    assert.equal(code, 0);
    const place = engine === 'sqlite' ? join(testDatabase.directory, 'frontdesk.db') : 'PostgreSQL 127.0.0.1';
    const announcement = lines[0]!;
    assert.match(announcement, /^Frontdesk listens on http:\/\/localhost:\d+ with the database /);
    assert.ok(announcement.includes(place), announcement);
    assert.match(announcement, /\(ADMIN_TOKEN: the environment\)$/);
    assert.ok(!lines.join().includes('.env'), 'there is no such file');
    const log = lines.slice(1).map((line) => JSON.parse(line));
    const requests = log.filter(({ route }) => route === '/livez');
    assert.equal(requests.length, 1);
    const { request_id, method, status, time } = requests[0];
    assert.deepEqual([method, status], ['GET', 200]);
    assert.match(request_id, /^[0-9a-f-]{36}$/);
    assert.ok(!Number.isNaN(Date.parse(time)));
  });
});

// Processes mostly wait: for deadlines, and for each other's start.
describe('the process of the service', { concurrency: true }, () => {
  test('the process finishes requests in progress, accepts no new ones and exits with 0 on SIGTERM and SIGINT, although clients never finish theirs', async (context) => {
    const testDatabase = await newDatabase(context);
    const service = await startProcess(testDatabase, { PASSWORD_THREADS: '1' });
    connectUnfinished(context, service);
    const responses = await queueLogins(service);
    const [ending] = (['SIGTERM', 'SIGINT'] as const).map((signal) => service.kill(signal));
    const received = await Promise.all(responses);
    assert.deepEqual(new Set(received.map(({ status }) => status)), new Set([200]));
    // Not those that were sent before the signal arrived.
    const connections = received.map(({ headers }) => headers.get('connection'));
    assert.ok(connections.includes('close'), `Connection: ${connections}`);
    const { code, lines } = await ending!;
    assert.equal(code, 0, lines.join('\n'));
    await assertNotListening(service);
    assert.ok(
      !existsSync(join(testDatabase.directory, 'frontdesk.db-wal')),
      'the journal was moved into the database file',
    );
  });

  test('the process continues to serve for SHUTDOWN_DELAY_SECONDS while readiness fails', async (context) => {
    const testDatabase = await newDatabase(context);
    const service = await startProcess(testDatabase, { SHUTDOWN_DELAY_SECONDS: '10' });
    const ending = service.kill('SIGTERM');
    while ((await service.api.get('/readyz')).status === 200);
    assert.equal((await service.api.get('/readyz')).status, 503);
    assert.equal((await service.api.get('/livez')).status, 200);
    assert.equal((await service.api.post('/api/register', newUserData())).status, 201);
    assert.equal((await ending).code, 0);
    await assertNotListening(service);
  });
});

/** Makes Node print the files of all CommonJS modules that were loaded, on one line, when the process exits. */
const PRINT_MODULES = `--import=data:text/javascript,${encodeURIComponent(`
  import { createRequire } from 'node:module';
  process.on('exit', () => console.log(Object.keys(createRequire('/').cache).join(' ')));
`)}`;

test('compilers of schemas and the generator of the API description are loaded with the first request for them, and validators of Fastify never', async (context) => {
  const testDatabase = await newDatabase(context);
  const listModules = async (path: string) => {
    const service = await startProcess(testDatabase, { NODE_OPTIONS: PRINT_MODULES });
    assert.equal((await service.api.get(path)).status, 200);
    return (await service.kill('SIGTERM')).lines.at(-1)!;
  };
  assert.doesNotMatch(
    await listModules('/readyz'),
    /\/(?:@fastify\/(?:swagger|ajv-compiler|fast-json-stringify-compiler)|yaml|ajv)\//,
  );
  assert.match(await listModules('/openapi.json'), /\/@fastify\/swagger\//);
});

describe('the generated administrator credential', () => {
  test('the generated administrator credential is created once, readable by its owner only, and never printed', async (context) => {
    const testDatabase = await newDatabase(context);
    const file = join(testDatabase.directory, 'admin-token');
    const credentials: string[] = [];
    for (let round = 0; round < 2; round++) {
      const service = await startProcess(testDatabase, { ADMIN_TOKEN: '', LOG_LEVEL: 'trace' });
      assert.equal(statSync(file).mode & 0o777, 0o600);
      const credential = readFileSync(file, 'utf8').trim();
      credentials.push(credential);
      const { status } = await service.api.get('/api/v1/admin/dashboard', { token: credential });
      assert.equal(status, 200);
      const { lines } = await service.kill('SIGTERM');
      assert.ok(lines[0]?.endsWith(`(ADMIN_TOKEN: ${file})`), `${lines[0]}`);
      assert.ok(!lines.join('\n').includes(credential), 'the output contains the credential');
    }
    assert.match(credentials[0]!, /^[0-9a-f]{64}$/);
    assert.equal(credentials[1], credentials[0], 'it is the same after a restart');
  });
});

describe('.env in the working directory', () => {
  test('.env in the working directory has settings, which the environment overrides, and is named in the log', async (context) => {
    const testDatabase = await newDatabase(context);
    const file = join(testDatabase.directory, '.env');
    const pepper = 'a-pepper-that-nobody-may-see';
    writeFileSync(file, `PASSWORD_PEPPER=${pepper}\nSHUTDOWN_DELAY_SECONDS=7\nCONSOLE=off\n`);
    const environment = { PWD: testDatabase.directory, SHUTDOWN_DELAY_SECONDS: '0' };
    const service = await startProcess(testDatabase, environment);
    const { body } = await service.api.get('/api/v1/admin/settings', admin);
    const settings: { name: string; value: unknown; is_set: boolean }[] = body.data.settings;
    const findValue = (wanted: string) => settings.find(({ name }) => name === wanted)?.value;
    assert.deepEqual([findValue('SHUTDOWN_DELAY_SECONDS'), findValue('CONSOLE')], ['0', 'off']);
    assert.ok(settings.some(({ name, is_set }) => name === 'PASSWORD_PEPPER' && is_set));
    const { lines } = await service.kill('SIGTERM');
    const log = lines.slice(1).map((line) => JSON.parse(line));
    assert.deepEqual(
      log.filter(({ msg }) => msg === 'settings were read from .env').map((each) => each.file),
      [file],
    );
    assert.ok(!lines.join().includes(pepper));
  });
});

describe('an unexpected error', { concurrency: true }, () => {
  const collector = 'globalThis.gc=({flavor})=>console.log("garbage collection",flavor);';
  const startWith = async (context: TestContext, statements: string, LOG_LEVEL = 'info') => {
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(statements)}`;
    return startProcess(await newDatabase(context), { NODE_OPTIONS, LOG_LEVEL });
  };
  const assertUnforeseen = async (service: ServiceProcess) => {
    const { code, lines } = await service.kill('SIGUSR2');
    assert.equal(code, 1);
    const { level, msg, err } = JSON.parse(lines.at(-1)!);
    assert.deepEqual([level, msg], [60, 'the process exits because of an unexpected error']);
    assert.match(err.stack, /^Error: unforeseen\n +at /);
    return lines;
  };

  test('a rejected promise is logged with its stack before the process exits with 1; LOG_LEVEL=warn leaves lines of requests out', async (context) => {
    const rejection = "process.on('SIGUSR2', () => { Promise.reject(new Error('unforeseen')) })";
    const service = await startWith(context, rejection, 'warn');
    await service.api.get('/livez');
    const lines = await assertUnforeseen(service);
    assert.deepEqual(new Set(lines.slice(1).map((line) => JSON.parse(line).level)), new Set([40, 60]));
  });

  test('the process returns the memory of its start to the system once, while it serves; an unexpected error is logged with its stack before it exits with 1', async (context) => {
    const error = "process.on('SIGUSR2', () => { throw new Error('unforeseen') })";
    const service = await startWith(context, collector + error);
    await until(() => service.output().includes('garbage collection last-resort'), 'garbage is collected');
    assert.equal((await service.api.get('/readyz')).status, 200);
    const lines = await assertUnforeseen(service);
    assert.equal(lines.filter((line) => line.startsWith('garbage collection')).length, 1);
  });
});

describe('standard output that cannot be written', { concurrency: true }, () => {
  /** Sends requests with the longest ids: 200 of them write more than the 64 KiB that a pipe holds. */
  const call = async (service: ServiceProcess, times: number) => {
    const options = { headers: { 'x-request-id': 'x'.repeat(128) } };
    for (let round = 0; round < times; round += 100) {
      const responses = Array.from({ length: 100 }, () => service.api.get('/livez', options));
      for (const response of responses) assert.equal((await response).status, 200);
    }
  };

  test('standard output whose reader has exited does not stop the service, nor its exit', async (context) => {
    const service = await startProcess(await newDatabase(context));
    service.stdout.destroy();
    await call(service, 200);
    assert.equal((await service.kill('SIGTERM')).code, 0);
  });

  test('standard output that is not read does not stop the service, nor its exit', async (context) => {
    const service = await startProcess(await newDatabase(context));
    service.stdout.pause();
    // More than the pipe and the buffer of its reader.
    await call(service, 600);
    assert.equal((await service.kill('SIGTERM')).code, 0);
  });
});
