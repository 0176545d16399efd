/** Walks everything that records events, and verifies the record after each step. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Command } from 'commander';
import type { CommandContext } from '../../src/cli/context.ts';
import { createProgram } from '../../src/cli/run-command.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/time.ts';
import { readOrCreateSecretFile } from '../../src/startup/secret-files.ts';
import { createApplication } from '../support/applications.ts';
import { createCredential } from '../support/credentials.ts';
import { verifyRecord } from '../support/events.ts';
import { createTestForm, publishTestForm } from '../support/forms.ts';
import { keepHouse } from '../support/housekeeping.ts';
import { run } from '../support/processes/commands.ts';
import { describeOnEachEngine } from '../support/runner/engines.ts';
import {
  ADMIN_TOKEN,
  admin,
  newUserData,
  startService,
  type TestService,
  toEnvironment,
  useService,
} from '../support/service.ts';
import { createBrowser } from '../support/upstream/sign-in.ts';
import { createUnclaimedUser, register } from '../support/users.ts';

const SECRET_KEY = 'secret-key-of-the-test-of-the-record'.repeat(2);
const USERS = '/api/v1/users';
const ANY = { 'if-match': '*' };

type Request = readonly [method: string, path: string, body?: object | undefined, token?: string];

/** Sends the requests one after the other, as the administrator by default; each has to succeed. */
async function send({ api }: TestService, ...requests: readonly Request[]): Promise<void> {
  for (const [method, path, body, token = ADMIN_TOKEN] of requests) {
    const { status, text } = await api.request(method, path, { token, headers: ANY, ...(body && { body }) });
    assert.ok(status < 300, `${method} ${path}: ${text}`);
  }
}

/** Kinds of requests that record events. */
const REQUESTS: Readonly<Record<string, (service: TestService) => Promise<unknown>>> = {
  async 'logins, more than are recorded one by one, and rejected ones'(service) {
    const { api } = service;
    const { email, password } = await register(service);
    for (let count = 0; count < 25; count++) await api.post('/api/login', { email, password });
    await api.post('/api/login', { email, password: 'wrong' });
    await api.post('/api/login', { email: 'nobody@example.com', password });
    await api.get(USERS, { token: 'wrong' });
    const { access_token: token } = (await api.post('/api/login', { email, password })).body;
    await api.post('/api/v1/logout', undefined, { token });
  },
  async 'changes of the own account'(service) {
    const { token, password: current_password } = await register(service);
    const password = 'another battery staple';
    await send(
      service,
      ['PATCH', '/api/v1/me', { name: 'Ada' }, token],
      ['PUT', '/api/v1/me/password', { current_password, password }, token],
      ['POST', '/api/v1/tokens', { name: 'script' }, token],
      ['GET', '/api/v1/me/export', undefined, token],
      ['DELETE', '/api/v1/me', { current_password: password }, token],
    );
  },
  async 'acts of administrators on users'(service) {
    const [{ id }, other] = [await register(service), await register(service)];
    const path = `${USERS}/${id}`;
    await createUnclaimedUser(service);
    await send(
      service,
      ['PATCH', path, { name: 'Grace', app_metadata: { plan: 'a' } }],
      ['PATCH', path, { state: 'disabled' }],
      ['PATCH', path, { state: 'active' }],
      ['PUT', `${path}/password`, { password: 'another battery staple' }],
      ['DELETE', `${path}/tokens`],
      ['POST', `${path}/merge`, { from: other.id }],
      ['POST', `${USERS}/batch`, { operations: [{ action: 'revoke', id }] }],
      ['GET', '/api/v1/admin/users/export'],
      ['DELETE', path],
    );
  },
  async 'credentials and applications'(service) {
    const credential = await createCredential(service, ['users:read']);
    await service.api.post('/api/v1/webhooks', {}, { token: credential.secret });
    const application = `/api/v1/applications/${(await createApplication(service)).id}`;
    await send(
      service,
      ['POST', `${credential.path}/rotate`, {}],
      ['DELETE', credential.path],
      ['PATCH', application, { name: 'Wiki' }],
      ['POST', `${application}/rotate-secret`, {}],
      ['DELETE', application],
    );
  },
  async webhooks(service) {
    const webhook = { url: 'https://example.com/hook', types: ['user.created'] };
    const { body } = await service.api.post('/api/v1/webhooks', webhook, admin);
    const path = `/api/v1/webhooks/${body.data.id}`;
    await send(
      service,
      ['PATCH', path, { enabled: false }],
      ['POST', `${path}/rotate-secret`, {}],
      ['DELETE', path],
    );
  },
  async forms(service) {
    const path = await publishTestForm(service);
    const draft = await createTestForm(service);
    const submission = ['POST', `${path}/submissions`, { answers: { full_name: 'Ada' } }] as const;
    await send(
      service,
      ...Array.from({ length: 15 }, () => submission),
      ['GET', `${path}/submissions/export?format=csv`],
      ['DELETE', `/api/v1/forms/${draft.id}`],
    );
  },
  'settings, and an export of events': (service) =>
    send(
      service,
      ['PATCH', '/api/v1/admin/settings', { EVENTS_DAYS: '190' }],
      ['GET', '/api/v1/events/export'],
    ),
  async 'pages of accounts'(service) {
    const { email, password } = await register(service);
    const browser = createBrowser(service);
    for (const current_password of ['wrong', password])
      await browser.submit('/sign-in', { email, current_password });
  },
};

/** Files that the commands need, by the name in their arguments. */
type Names = Readonly<Record<'file' | 'users', string>>;

/** Commands that record events or write to the database, with their arguments, in the order of a day. */
const COMMANDS: Readonly<Record<string, (names: Names) => readonly string[]>> = {
  migrate: () => [],
  'users import': ({ users }) => [users, '--send-claims'],
  'users export': () => ['--with-password-hashes'],
  'credentials create': () => ['Backup', '--role', 'auditor'],
  'signing-keys rotate': () => ['--revoke-old'],
  'statistics recompute': () => [],
  'mail retry': () => [],
  'admin-token rotate': () => [],
  api: () => ['createUser', '--body', '{"name":"Api","email":"api@example.com"}'],
  doctor: () => [],
  'backup create': ({ file }) => [file],
  'backup verify': ({ file }) => [file],
};
/** For these, the service has to be stopped; the test runs them last. */
const STOPPED = ['backup restore', 'accept-secret-key'];
const READING = ['openapi', 'routes', 'events verify', 'events head', 'signing-keys list'];

function listCommands(command: Command, names: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [names.join(' ')];
  return command.commands.flatMap((each) => listCommands(each, [...names, each.name()]));
}

test('the walk of the record of events knows each command, and whether it writes', () => {
  const known = [...Object.keys(COMMANDS), ...STOPPED, ...READING];
  assert.deepEqual(listCommands(createProgram({} as CommandContext)).sort(), known.sort());
});

describeOnEachEngine('the record of events', (engine) => {
  const service = useService(engine, { environment: { SECRET_KEY } });
  const environment = (more: Record<string, string> = {}) =>
    toEnvironment(service.testDatabase, { SECRET_KEY, ...more });
  const verify = async ({ service: { database } }: TestService, step: string) =>
    assert.deepEqual(await verifyRecord(database, SECRET_KEY), [], step);
  const housekeep = (now: number) => keepHouse(service.database, { clock: () => now });

  for (const [title, send] of Object.entries(REQUESTS))
    test(`the record is valid after requests: ${title}`, async () => {
      await send(service);
      await verify(service, title);
    });

  test('the record is valid after each command', async () => {
    const { directory } = service.testDatabase;
    readOrCreateSecretFile(directory, 'admin-token');
    const users = join(directory, 'users.csv');
    writeFileSync(users, `email,name\n${newUserData().email},Imported\n${newUserData().email},Imported\n`);
    const file = join(directory, 'backup.zst');
    const { port } = new URL(service.service.url);
    for (const [command, toArguments] of Object.entries(COMMANDS)) {
      const args = [...command.split(' '), ...toArguments({ users, file })];
      const own = command.startsWith('admin-token') ? { ADMIN_TOKEN: '' } : {};
      const { code, lines } = await run(args, environment({ PORT: port, ...own }));
      assert.ok(code === 0 || command === 'doctor', `${command}: ${lines.join('\n')}`);
      await verify(service, command);
    }
    assert.ok(readFileSync(file).length > 0);
  });

  for (const [title, delay] of [
    ['two minutes', 2 * MINUTE],
    ['an hour', HOUR],
    ['31 days', 31 * DAY],
    ['181 days', 181 * DAY],
  ] as const)
    test(`the record is valid after housekeeping of ${title} later`, async () => {
      await housekeep(Date.now() + delay);
      await verify(service, title);
    });

  test('the record is valid after a restore, after the start of a service on it, and after another SECRET_KEY, with a warning', async () => {
    const { testDatabase } = service;
    await service.service.stop();
    const file = join(testDatabase.directory, 'backup.zst');
    const restored = await run(['backup', 'restore', file, '--replace'], environment());
    assert.equal(restored.code, 0, restored.lines.join('\n'));
    const check = async (expected: number, key = SECRET_KEY) => {
      const { lines } = await run(['events', 'verify'], environment({ SECRET_KEY: key }));
      assert.equal(lines.length, expected, lines.join('\n'));
      assert.match(lines.at(-1)!, /^\d+ events verified/);
    };
    await check(1);
    const next = await startService(engine, { testDatabase, environment: { SECRET_KEY } });
    await register(next);
    await verify(next, 'the next start');
    await next.stop();
    await nextTurn();
    const other = 'another-secret-key-of-the-record'.repeat(2);
    assert.equal((await run(['accept-secret-key'], environment({ SECRET_KEY: other }))).code, 0);
    await check(2, other);
  });
});
