import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FOREIGN_HASHES } from '../../../test/support/foreign-hashes.ts';
import { run } from '../../../test/support/processes/commands.ts';
import { listEvents, waitingKinds } from '../../../test/support/processes/recovery.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { CHEAP_PREFIX, newUserData, toEnvironment, useService } from '../../../test/support/service.ts';
import { assertExactFigures } from '../../../test/support/statistics/statistics.ts';
import { readSettings } from '../../database/settings.ts';
import { findCredentials } from '../../features/users/records/queries.ts';
import { toStoredHash } from '../../lib/passwords/foreign-hashes.ts';
import { getHashPrefix } from '../../lib/passwords/password-parameters.ts';

const BCRYPT = FOREIGN_HASHES[1]!.hash;
const PEPPER = { PASSWORD_PEPPER: 'a pepper that the other service did not have' };

describeOnSqlite('cli users import', (engine) => {
  const service = useService(engine, { environment: PEPPER });
  const path = (name: string) => join(service.testDatabase.directory, name);

  function start(args: readonly string[]) {
    return run(['users', 'import', ...args], toEnvironment(service.testDatabase, PEPPER));
  }

  function importText(name: string, content: string | Buffer, args: readonly string[] = []) {
    writeFileSync(path(name), content);
    return start([path(name), '--json', ...args]);
  }

  async function getResult(ending: ReturnType<typeof importText>) {
    const { code, lines } = await ending;
    return { code, ...JSON.parse(lines.at(-1)!) };
  }

  const login = (email: string, password: string) => service.api.post('/api/login', { email, password });
  const findHash = async (email: string) =>
    (await findCredentials(service.service.database, email))?.password_hash ?? '';

  test('cli users import accepts hashes of every kind, which match at the first login and are replaced by it', async () => {
    // Other forms of the same kinds are left out: logins take long.
    const kinds = FOREIGN_HASHES.filter(({ service: name }) => !/^(?:passlib|Django)/.test(name));
    const users = kinds.map((each) => ({ ...each, email: newUserData().email }));
    const lines = users.map(({ email, service: name, hash }) =>
      JSON.stringify({ email, name, password_hash: hash, created_at: '2024-01-01T00:00:00Z' }),
    );
    const result = await getResult(importText('hashes.ndjson', `${lines.join('\n')}\n`));
    const counts = { imported: users.length, existing: 0, rejected: 0 };
    assert.deepEqual(result, { code: 0, ...counts, interrupted: false });
    for (const { email, password } of users) {
      assert.equal((await login(email, `${password}!`)).status, 401);
      const { status, body } = await login(email, password);
      assert.equal(status, 200, email);
      assert.ok((await findHash(email)).startsWith(CHEAP_PREFIX));
      const me = await service.api.get('/api/v1/me', { token: body.access_token });
      assert.equal(me.body.data.created_at, '2024-01-01T00:00:00.000Z');
      const events = await listEvents(service, me.body.data.id);
      assert.equal(events[0], 'user.created by administrator');
      assert.equal((await login(email, password)).status, 200, 'with the new hash');
    }
    const recorded = await readSettings(service.service.database, 'password_parameters ');
    const imported = recorded.filter(({ value }) => Number(value) < 0).map(({ name }) => name.split(' ')[1]);
    const prefixes = users.map(({ hash }) => getHashPrefix(toStoredHash(hash, false)));
    assert.deepEqual(imported.sort(), [...new Set(prefixes)].sort());
    await assertExactFigures(service.service.database);
  });

  test('cli users import hashes plain passwords, and queues messages to claim accounts only with --send-claims', async () => {
    const [plain, quiet, claimed] = [newUserData(), newUserData(), newUserData()];
    const row = (email: string, password = '') => `${email},${password}`;
    const header = 'email,password';
    const first = await getResult(
      importText('plain.csv', [header, row(plain.email, plain.password), row(quiet.email)].join('\n')),
    );
    assert.equal(first.imported, 2);
    assert.equal((await login(plain.email, plain.password)).status, 200);
    assert.equal((await login(quiet.email, plain.password)).status, 401);
    const claims = [header, row(claimed.email)].join('\n');
    assert.equal((await getResult(importText('claims.csv', claims, ['--send-claims']))).imported, 1);
    assert.deepEqual(await waitingKinds(service, claimed.email), ['claim_account']);
    assert.deepEqual(await waitingKinds(service, quiet.email), []);
  });

  test('cli users import reads CSV with a byte order mark, CRLF, quotes and line breaks within them', async () => {
    const { email } = newUserData();
    const content = `\uFEFFname,email,level,password_hash\r\n"Ada ""Countess""\r\nLovelace","${email}",,${BCRYPT}\r\n\r\n`;
    assert.equal((await getResult(importText('quoted.csv', content))).imported, 1);
    const { body } = await login(email, 'allmine');
    const me = await service.api.get('/api/v1/me', { token: body.access_token });
    assert.equal(me.body.data.name, 'Ada "Countess"\r\nLovelace');
    assert.equal(me.body.data.level, null);
  });

  test('cli users import reports rejected lines by number without their values, imports the others, and exits with 2', async () => {
    const secret = 'hunter2-hunter2';
    const rows = [
      'email,password,password_hash,state,created_at',
      `${newUserData().email},${secret},,,`,
      `not an email ${secret},${secret},,,`,
      `${newUserData().email},short,,,`,
      `${newUserData().email},,$2b$15$${BCRYPT.slice(7)},,`,
      `${newUserData().email},${secret},${BCRYPT},,`,
      `${newUserData().email},${secret},,unclaimed,`,
      `${newUserData().email},,,disabled,`,
      `${newUserData().email},${secret},,,2999-01-01 00:00:00`,
      `${newUserData().email},${secret}`,
      `${newUserData().email},${secret},,disabled,`,
      `${newUserData().email},${' '.repeat(8)},,,`,
    ];
    const report = path('rejected.ndjson');
    const ending = await importText('bad.csv', rows.join('\n'), ['--report', report]);
    assert.equal(ending.code, 2);
    const { imported, rejected } = JSON.parse(ending.lines.at(-1)!);
    assert.deepEqual([imported, rejected], [2, 9]);
    const text = readFileSync(report, 'utf8');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).line);
    assert.deepEqual(
      lines.sort((a, b) => a - b),
      [3, 4, 5, 6, 7, 8, 9, 10, 12],
    );
    assert.ok(!text.includes('hunter2') && !ending.lines.join().includes('hunter2'));
    assert.equal(statSync(report).mode & 0o077, 0);

    const objects = [
      '[]',
      'x',
      '{"email":1}',
      '{"emial":"a@example.com"}',
      '{"email":"a\\u0000@example.com"}',
    ];
    const ndjson = await importText('bad.ndjson', objects.join('\n'));
    assert.equal(ndjson.code, 2);
    assert.deepEqual(
      ndjson.lines
        .slice(0, 5)
        .map((line) => /^line (\d): /.exec(line)?.[1])
        .sort(),
      ['1', '2', '3', '4', '5'],
    );
    await assertExactFigures(service.service.database);
  });

  test('cli users import fails with 1 and one line for a file that cannot be read as a whole', async () => {
    const wrong: [string, string | Buffer][] = [
      ['unknown-column.csv', 'email,pasword\na@example.com,x'],
      ['no-email.csv', 'name\nAda'],
      ['twice.csv', 'email,email\na@example.com,b@example.com'],
      ['latin1.csv', Buffer.from('email,name\na@example.com,\xe9', 'latin1')],
      ['unknown.txt', 'email'],
      ['quote.csv', 'email,password\na@example.com,"hunter2" x\nb@example.com,y'],
      ['unclosed.csv', `email,password\na@example.com,"hunter2\n${'b@example.com,y\n'.repeat(9_999)}`],
    ];
    for (const [name, content] of wrong) {
      const { code, lines } = await importText(name, content);
      assert.deepEqual([code, lines.length], [1, 1], `${name}: ${lines.join('\n')}`);
      assert.match(lines[0]!, /^users: (?!.*hunter2)/);
    }
    const missing = await start([path('missing.csv')]);
    assert.match(missing.lines.join('\n'), /^users: .*missing\.csv cannot be read: ENOENT$/);
  });

  test('cli users import stops at Ctrl-C between two batches, reports that and exits with 2', async () => {
    const lines = Array.from({ length: 501 }, () => newUserData().email);
    writeFileSync(path('interrupted.csv'), ['email', ...lines].join('\n'));
    const environment = toEnvironment(service.testDatabase, PEPPER);
    const onInterrupt = (interrupt: () => void) => interrupt();
    const result = await run(['users', 'import', path('interrupted.csv')], environment, { onInterrupt });
    assert.deepEqual(
      [result.code, result.lines],
      [
        2,
        [
          'Imported 0, skipped 0 with an account, rejected 0.',
          'Interrupted: import the same file again to complete it.',
        ],
      ],
    );
  });
});
