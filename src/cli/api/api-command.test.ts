import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { createCredential } from '../../../test/support/credentials.ts';
import { type CommandOptions, run } from '../../../test/support/processes/commands.ts';
import { ADMIN_TOKEN, newUserData, toEnvironment, useService } from '../../../test/support/service.ts';
import { insertTestUser, register } from '../../../test/support/users.ts';
import { readOrCreateSecretFile } from '../../startup/secret-files.ts';

// The command knows the service only by HTTP: its engine makes no difference.
describe('cli api', () => {
  const service = useService('sqlite');
  const level = 'cli-api';
  const ids: string[] = [];
  before(async () => {
    const { database } = service;
    for (let number = 0; number < 3; number++) ids.push((await insertTestUser(database, { level })).id);
  });
  const call = (
    args: readonly string[],
    environment: Record<string, string> = {},
    options?: CommandOptions,
  ) => {
    const port = new URL(service.service.url).port;
    const settings = toEnvironment(service.testDatabase, { PORT: port, ...environment });
    return run(['api', ...args], settings, options);
  };
  const succeed = async (args: readonly string[], options?: CommandOptions) => {
    const { code, stdout, lines } = await call(args, {}, options);
    assert.equal(code, 0, lines.join('\n'));
    return { stdout, lines };
  };
  const callJson = async (args: readonly string[], options?: CommandOptions) =>
    JSON.parse((await succeed([...args, '--json'], options)).stdout);
  const fail = async (args: readonly string[], environment?: Record<string, string>) => {
    const { code, stdout, lines } = await call(args, environment);
    assert.deepEqual([code, stdout], [1, '']);
    return lines.join('\n');
  };

  test('cli api lists all operations without arguments and with --help, and the options of one', async () => {
    const { paths } = (await service.api.get('/openapi.json')).body as { paths: Record<string, object> };
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    for (const args of [[], ['--help']]) {
      const { stdout } = await succeed(args);
      for (const { operationId } of operations) assert.ok(stdout.includes(`  ${operationId} [`), operationId);
    }
    const { stdout } = await succeed(['updateUser', '--help']);
    assert.match(stdout, /^Usage: npm run cli -- api updateUser \[options\]/);
    for (const option of ['--id', '--if-match', '--body', '--json'])
      assert.match(stdout, new RegExp(` ${option} `));
    assert.match(
      (await succeed(['listUsers', '--help'])).stdout,
      /\(unclaimed,\s+active,\s+disabled\)[\s\S]*--all /,
    );
  });

  test('cli api sends a body of JSON text, of a file and of standard input', async () => {
    const bodies = Array.from({ length: 3 }, () => JSON.stringify(newUserData()));
    const file = join(service.testDatabase.directory, 'user.json');
    writeFileSync(file, bodies[1]!);
    for (const [given, input = ''] of [[bodies[0]!], [`@${file}`], ['@-', bodies[2]!]]) {
      const { data } = await callJson(['createUser', '--body', given!], { input });
      assert.ok(bodies.some((body) => JSON.parse(body).email === data.email));
    }
    assert.match(
      await fail(['createUser', '--body', '@/missing']),
      /^api: \/missing cannot be read: ENOENT$/,
    );
  });

  test('cli api sends parameters in path, query and headers, named in kebab or snake case', async () => {
    const update = ['updateUser', '--id', ids[0]!, '--body', '{"name":"Ada Lovelace"}'];
    assert.match(await fail([...update, '--if-match', '"99"']), /^api: .*\(412 precondition_failed\)$/);
    assert.equal((await callJson([...update, '--if_match=*'])).data.name, 'Ada Lovelace');
    for (const name of ['--created-to', '--created_to'])
      assert.deepEqual((await callJson(['listUsers', name, '2000-01-01'])).data, []);
    assert.match(await fail(['getUser', '--id', 'a/b?c']), /\(404 user_not_found\)$/);
  });

  test('cli api prints a list as a table without empty columns, with the cursor of the next page on standard error', async () => {
    const list = ['listUsers', '--level', level, '--limit', '2'];
    const { next_cursor, data } = await callJson(list);
    const { stdout, lines } = await succeed(list);
    const [header, ...rows] = stdout.trimEnd().split('\n');
    assert.match(header!, /^id +name +email +level +state +created_at +updated_at +version$/);
    for (const [index, row] of rows.entries()) assert.ok(row.startsWith(`${data[index].id}  `), row);
    assert.equal(lines.at(-1), `There are more: --all, or --cursor ${next_cursor}`);
    const last = await succeed([...list, '--cursor', next_cursor]);
    assert.deepEqual([last.lines.length, last.stdout], [2, `${last.lines.join('\n')}\n`]);
    assert.deepEqual((await succeed(['listUsers', '--level', 'none'])).lines, ['No records.']);
  });

  test('cli api --all prints the records of all pages, and ends at the end of a feed', async () => {
    const list = ['listUsers', '--level', level, '--limit', '1', '--all'];
    const { lines } = await succeed([...list, '--json']);
    assert.deepEqual(lines.map((line) => JSON.parse(line).id).sort(), ids.toSorted());
    assert.equal((await succeed(list)).lines.length, ids.length + 1);
    const feed = ['listEvents', '--order', 'time', '--all', '--json'];
    const all = await succeed(feed);
    assert.deepEqual((await succeed([...feed, '--limit', '1'])).lines, all.lines);
  });

  test('cli api prints the members of a record, without control characters, and a secret as a whole', async () => {
    const { data } = await callJson([
      'createUser',
      '--body',
      '{"name":"x","email":"x@example.com","user_metadata":{"a":"\\u202e"}}',
    ]);
    const { lines } = await succeed(['getUser', '--id', data.id]);
    assert.match(
      lines.join('\n'),
      /^id +[\w-]{36}\nname +x\n[\s\S]*\nuser_metadata\.a +\uFFFD\napp_metadata +-\ngroups +-$/,
    );
    const created = await succeed(['createWebhook', '--body', '{"url":"https://example.com/hook"}']);
    assert.match(created.stdout, /^secret +whsec_[\w+/=]{44}$/m);
    const settings = await succeed(['listSettings']);
    assert.match(settings.lines.slice(0, 3).join('\n'), /^settings:\nname +value .*\nHOST +127/);
  });

  test('cli api passes NDJSON through, prints the message of a response without data, and says when there is no content', async () => {
    const { stdout } = await succeed(['exportEvents', '--order', 'time']);
    const lines = stdout.trimEnd().split('\n');
    assert.ok(lines.length > 1 && lines.every((line) => JSON.parse(line).type));
    const { email } = newUserData();
    const reset = await succeed(['requestPasswordReset', '--body', JSON.stringify({ email })]);
    assert.equal(reset.lines.length, 1);
    assert.deepEqual((await succeed(['deleteUser', '--id', ids.pop()!])).lines, ['Done.']);
  });

  test('cli api uses --credential, FRONTDESK_CREDENTIAL, the first of ADMIN_TOKEN or the file, in this order', async () => {
    const readers = [
      await createCredential(service, ['events:read']),
      await createCredential(service, ['users:read']),
    ];
    const [events, users] = readers.map(({ secret }) => secret);
    const environment = { FRONTDESK_CREDENTIAL: events! };
    assert.match(await fail(['listUsers'], environment), /\(403 insufficient_scope\)$/);
    assert.equal((await call(['listUsers', '--credential', users!], environment)).code, 0);
    const { token } = await register(service);
    assert.equal((await call(['getCurrentUser', '--credential', token], environment)).code, 0);
    const empty = { FRONTDESK_CREDENTIAL: '' };
    assert.equal(
      (await call(['listUsers'], { ...empty, ADMIN_TOKEN: `${ADMIN_TOKEN},${'x'.repeat(32)}` })).code,
      0,
    );
    assert.match(
      await fail(['listUsers'], { ADMIN_TOKEN: '' }),
      /^api: there is no credential: set FRONTDESK_CREDENTIAL/,
    );
    readOrCreateSecretFile(service.testDatabase.directory, 'admin-token');
    assert.match(await fail(['listUsers'], { ADMIN_TOKEN: '' }), /\(401 unauthorized\)$/);
    assert.equal((await call(['getHealth'], { FRONTDESK_CREDENTIAL: 'a b' })).code, 0, 'it is not sent');
    const invalid = await fail(['listUsers', '--credential', 'secret\nvalue']);
    assert.match(invalid, /^api: the credential has other characters/);
    assert.ok(!invalid.includes('value'));
  });

  test('cli api fails with 1 and the reason for wrong operations, options and services', async () => {
    assert.equal(await fail(['listUser']), "error: unknown command 'listUser'\n(Did you mean listUsers?)");
    assert.equal(await fail(['getUser']), "error: required option '--id <value>' not specified");
    assert.match(
      await fail(['listUsers', '--stat', 'x']),
      /unknown option '--stat'\n\(Did you mean --state\?\)$/,
    );
    assert.match(await fail(['getUser', '--id', ids[0]!, '--all']), /unknown option '--all'/);
    assert.match(
      await fail(['createUser', '--body', '{"name":"","email":""}']),
      /^api: The name field .* The email field .* \(400 validation_failed\)$/,
    );
    const away = await fail(['listUsers', '--url', 'http://127.0.0.1:1024/']);
    assert.match(away, /^api: the service at http:\/\/127\.0\.0\.1:1024 cannot be reached \(ECONNREFUSED\)/);
    assert.match(
      await fail([], { HOST: '::1', PORT: '1024' }),
      /^api: the service at http:\/\/\[::1\]:1024 /,
    );
    assert.match(await fail(['--url', `${service.service.url}/docs`]), /\/docs\/openapi\.json returned 404$/);
    assert.match(
      await fail(['--url', 'example']),
      /^api: the service at example cannot be reached \(ERR_INVALID_URL\)/,
    );
  });
});
