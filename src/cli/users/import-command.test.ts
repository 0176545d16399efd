import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashSync as bcryptSync } from '@node-rs/bcrypt';
import { parse } from 'csv-parse/sync';
import { FOREIGN_HASHES, SOFTWARE_HASHES } from '../../../test/support/foreign-hashes.ts';
import { pluck } from '../../../test/support/pluck.ts';
import { run } from '../../../test/support/processes/commands.ts';
import { listEvents, waitingKinds } from '../../../test/support/processes/recovery.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import {
  admin,
  CHEAP_PREFIX,
  newUserData,
  toEnvironment,
  useService,
} from '../../../test/support/service.ts';
import { assertExactFigures } from '../../../test/support/statistics/statistics.ts';
import { readSettings } from '../../database/settings.ts';
import { ENTRY_MEMBERS } from '../../features/users/read-entry.ts';
import { findCredentials } from '../../features/users/records/queries.ts';
import { toStoredHash } from '../../lib/passwords/foreign-hashes.ts';
import { getHashPrefix } from '../../lib/passwords/password-parameters.ts';

const BCRYPT = FOREIGN_HASHES[1]!.hash;
const PEPPER = { PASSWORD_PEPPER: 'a pepper that the other service did not have' };

describeOnSqlite('cli users import', (engine) => {
  const service = useService(engine, { environment: PEPPER });
  const path = (name: string) => join(service.testDatabase.directory, name);

  function start(args: readonly string[], input = '') {
    return run(['users', 'import', ...args], toEnvironment(service.testDatabase, PEPPER), { input });
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
    (await findCredentials(service.database, email))?.password_hash ?? '';

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
      assert.ok((await findHash(email)).includes(CHEAP_PREFIX));
      const me = await service.api.get('/api/v1/me', { token: body.access_token });
      assert.equal(me.body.data.created_at, '2024-01-01T00:00:00.000Z');
      const events = await listEvents(service, me.body.data.id);
      assert.equal(events[0], 'user.created by administrator');
      assert.equal((await login(email, password)).status, 200, 'with the new hash');
    }
    const recorded = await readSettings(service.database, 'password_parameters ');
    const imported = recorded.filter(({ value }) => Number(value) < 0).map(({ name }) => name.split(' ')[1]);
    const prefixes = users.map(({ hash }) => getHashPrefix(toStoredHash({ hash })));
    assert.deepEqual(imported.sort(), [...new Set(prefixes)].sort());
    await assertExactFigures(service.database);
  });

  test('cli users import adds users to the groups that they name, of which unknown ones reject the row, and the export has them', async () => {
    const { api, service: started } = service;
    for (const name of ['alpha', '-beta']) await api.post('/api/v1/groups', { name, title: 'Group' }, admin);
    const emails = ['a', 'b', 'c', 'd', 'e'].map((name) => `groups-${name}@example.com`);
    const csv = ['email,groups', `${emails[0]},-beta alpha`, `${emails[1]},"alpha,alpha"`, `${emails[2]},`];
    const first = await getResult(importText('groups.csv', `${csv.join('\n')}\n`));
    assert.equal(first.imported, 3);
    const lines = [
      { email: emails[3], groups: ['alpha'] },
      { email: emails[4], groups: ['alpha', 'gamma'] },
    ];
    const more = [
      { email: 'x@example.com', groups: ['A b'] },
      { email: 'y@example.com', groups: [3] },
    ];
    const ndjson = [...lines, ...more].map((line) => JSON.stringify(line)).join('\n');
    for (const args of [['--dry-run'], []]) {
      const { imported, rejected } = await getResult(importText('groups.ndjson', ndjson, args));
      assert.deepEqual([imported, rejected], [1, 3]);
    }
    const exported = await api.get('/api/v1/admin/users/export?search=groups-', admin);
    const rows = parse(exported.text.replaceAll(",'-", ',-'), { columns: true }) as Record<string, string>[];
    const expected = ['-beta alpha', 'alpha', '', 'alpha'];
    assert.deepEqual(pluck(rows, 'groups'), expected);
    const { lines: written } = await run(
      ['users', 'export', '--format', 'ndjson'],
      toEnvironment(service.testDatabase),
    );
    const users = written.map((line) => JSON.parse(line)).filter(({ email }) => emails.includes(email));
    assert.deepEqual(
      users.map(({ groups }) => groups.join(' ')),
      expected,
    );
    const events = await listEvents(service, users[0].id);
    assert.equal(events.filter((event) => event.startsWith('group.member_added')).length, 2);
    await assertExactFigures(started.database);
  });

  test('cli users import counts what it changes of users: markers of no password, locks, weak hashes, bad times of creation', async () => {
    const weak = `{SSHA}dl329PcXZCGXx2GVR6n8c+hJJ3sxzp8t`;
    const markers = ['!', '*', '!!', '*NO-PASSWORD*', 'x', String.raw`\N`, 'NULL', `!${'z'.repeat(40)}`];
    const rows = [...markers, weak, `!${BCRYPT}`].map((hash) => ({ email: newUserData().email, hash }));
    const [late, disabled] = [newUserData().email, newUserData().email];
    const lines = [
      JSON.stringify({ email: disabled, password_hash: '!', state: 'disabled' }),
      ...rows.map(({ email, hash }) => JSON.stringify({ email, password_hash: hash })),
      JSON.stringify({ email: late, password_hash: `${BCRYPT}\0\0`, created_at: 'yesterday' }),
      JSON.stringify({ email: newUserData().email, password_hash: BCRYPT, created_at: 1_767_225_600 }),
    ];
    const { imported, rejected, notes } = await getResult(importText('marked.ndjson', lines.join('\n')));
    assert.deepEqual([imported, rejected], [rows.length + 3, 0]);
    assert.deepEqual(notes, {
      no_password: markers.length + 1,
      weak_hash: 1,
      locked: 1,
      no_creation_time: 2,
    });
    const states = await Promise.all(
      [...rows, { email: disabled }].map(
        async ({ email }) => (await findCredentials(service.database, email))?.state,
      ),
    );
    assert.deepEqual(states, [...markers.map(() => 'unclaimed'), 'active', 'disabled', 'disabled']);
    assert.equal((await login(late, 'allmine')).status, 200);
  });

  test('cli users import recognises semicolons and tabs, and reads a salt of its own column', async () => {
    const salt = '68a51eb96f2097cf9f0cae6b51275d75';
    const hash = 'd33a707d145cbdd43f49442b4ce2b4374f6798c7';
    for (const separator of [';', '\t']) {
      const { email } = newUserData();
      const table = [
        ['email', 'name', 'password_hash', 'password_salt'],
        [email, '"a, b, c, d"', hash, salt],
      ];
      const text = table.map((row) => row.join(separator)).join('\n');
      assert.equal((await getResult(importText('salted.csv', text))).imported, 1);
      assert.equal((await login(email, 'Blue-kettle 42')).status, 200);
    }
  });

  const trials = {
    'the hash matches the password': { hash: BCRYPT, args: [], code: 0 },
    'the hash matches the password with --prehash sha256-hex': {
      hash: bcryptSync(createHash('sha256').update('allmine').digest('hex'), 4),
      args: [],
      code: 2,
    },
    'the hash does not match the password: the service may use a pepper (--pepper, --hmac-key)': {
      hash: bcryptSync('allminepepper', 4),
      args: [],
      code: 2,
    },
    'the hash matches the password, read as Base64 of SHA-512 (Symfony)': {
      hash: bcryptSync(createHash('sha512').update('allmine'.repeat(20)).digest('base64'), 4),
      args: [],
      code: 0,
      password: 'allmine'.repeat(20),
    },
  };
  for (const [text, { hash, args, code, ...rest }] of Object.entries(trials)) {
    const password = 'password' in rest ? rest.password : 'allmine';
    test(`cli users import --try says: ${text.slice(0, 80)}`, async () => {
      const { email } = newUserData();
      writeFileSync(path('try.ndjson'), JSON.stringify({ email, password_hash: hash }));
      const ending = await start([path('try.ndjson'), '--dry-run', '--try', email, ...args], `${password}\n`);
      assert.equal(ending.code, code);
      assert.ok(ending.lines.includes(`${email}: ${text}`), ending.lines.join('\n'));
      assert.ok(!ending.lines.join().includes(password));
      assert.equal(await findCredentials(service.database, email), undefined);
    });
  }

  test('cli users import reads the pepper and the HMAC key of the other service from files', async () => {
    const key = '146585145368132386173505678016728509634';
    const { hash } = SOFTWARE_HASHES.find((each) => each.service === 'Flask-Security bcrypt')!;
    writeFileSync(path('key'), `${key}\n`);
    writeFileSync(path('pepper'), 'pepper');
    const [flask, devise] = [newUserData(), newUserData()];
    for (const [email, given, args] of [
      [flask.email, hash, ['--hmac-key', path('key')]],
      [devise.email, bcryptSync('Blue-kettle 42pepper', 4), ['--pepper', path('pepper')]],
    ] as const) {
      const text = JSON.stringify({ email, password_hash: given });
      assert.equal((await getResult(importText('prehash.ndjson', text, args))).imported, 1);
      assert.equal((await login(email, 'Blue-kettle 43')).status, 401);
      assert.equal((await login(email, 'Blue-kettle 42')).status, 200);
      assert.equal((await login(email, 'Blue-kettle 42')).status, 200, 'with the new hash');
    }
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
      `${newUserData().email},${secret}`,
      `${newUserData().email},${secret},,disabled,`,
      `${newUserData().email},${' '.repeat(8)},,,`,
    ];
    const report = path('rejected.ndjson');
    const ending = await importText('bad.csv', rows.join('\n'), ['--report', report]);
    assert.equal(ending.code, 2);
    const { imported, rejected } = JSON.parse(ending.lines.at(-1)!);
    assert.deepEqual([imported, rejected], [2, 8]);
    const text = readFileSync(report, 'utf8');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).line);
    assert.deepEqual(lines, [3, 4, 5, 6, 7, 8, 9, 11]);
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
      ndjson.lines.slice(0, 5).map((line) => /^line (\d): /.exec(line)?.[1]),
      ['1', '2', '3', '4', '5'],
    );
    await assertExactFigures(service.database);
  });

  test('cli users import rejects a JSON object in which a name occurs twice, as the API does, in a line and in a column', async () => {
    const { email } = newUserData();
    const metadata = '{"plan":"a","plan":"b"}';
    const lines = [
      `{"email":"${email}","email":"other-${email}"}`,
      `{"email":"${email}","user_metadata":${metadata}}`,
      `{"email":"${email}","\\u0065mail":"${email}"}`,
    ];
    const csv = `email,app_metadata\n${email},"${metadata.replaceAll('"', '""')}"`;
    const rejections = [
      ...(await importText('twice.ndjson', lines.join('\n'))).lines,
      ...(await importText('twice-metadata.csv', csv)).lines,
    ].filter((line) => line.startsWith('line '));
    const reason = 'A member name occurs twice in an object.';
    assert.deepEqual(rejections, [
      ...[1, 2, 3].map((line) => `line ${line}: ${reason}`),
      `line 2: app_metadata must be a JSON object. ${reason}`,
    ]);
  });

  test('cli users import writes the report to standard output for -, in the order of the file, and the result to standard error', async () => {
    const { email } = newUserData();
    const rows = ['email,state', 'nobody,', `${email},`, `${email},`, 'x@example.com,open'];
    for (const args of [[], ['--dry-run']]) {
      const { code, stdout, lines } = await importText('report.csv', rows.join('\n'), [
        '--report',
        '-',
        ...args,
      ]);
      const report = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const statuses = report.map(({ line, status }) => [line, status]);
      const imported = args.length > 0 ? [[3, 'existing']] : [];
      const expected = [[2, 'rejected'], ...imported, [4, 'existing'], [5, 'rejected']];
      assert.deepEqual([code, statuses], [2, expected]);
      assert.match(report.at(-2).reason, /has an account, or is in an earlier line/);
      assert.equal(JSON.parse(lines.at(-1)!).rejected, 2);
    }
  });

  test('cli users import --help lists every column', async () => {
    const { lines } = await start(['--help']);
    assert.ok(lines.join('\n').includes(`${ENTRY_MEMBERS.join(', ')}.`));
  });

  test('cli users import reads the names of columns as people write them in a spreadsheet', async () => {
    const { name, email } = newUserData();
    const { code, lines } = await importText('titles.csv', `Name; EMAIL ;State\n${name};${email};\n`);
    assert.deepEqual([code, JSON.parse(lines.at(-1)!).imported], [0, 1]);
  });

  test('cli users import fails with 1 and one line for a file that cannot be read as a whole', async () => {
    const wrong: [name: string, content: string | Buffer, reason: RegExp][] = [
      ['unknown-columns.csv', 'email,pasword,hunter2\na@example.com,x,y', /in column 2, 3: the columns are/],
      ['no-email.csv', 'name\nAda', /the column email is missing/],
      ['twice.csv', 'Email,email\na@example.com,b@example.com', /column 2 has the name of an earlier one/],
      ['no-name.csv', 'email,,\na@example.com,,', /column 3 has the name of an earlier one, or none/],
      ['empty.csv', '', /the file is empty/],
      ['latin1.csv', Buffer.from('email,name\na@example.com,\xe9', 'latin1'), /"CSV UTF-8"/],
      ['unknown.xlsx', 'email', /the format of .*unknown\.xlsx is not known: save it as \.csv or \.ndjson/],
      ['quote.csv', 'email,password\na@example.com,"hunter2" x\nb@example.com,y', /not valid CSV/],
      [
        'unclosed.csv',
        `email,password\na@example.com,"hunter2\n${'b@example.com,y\n'.repeat(9_999)}`,
        /not valid CSV/,
      ],
    ];
    for (const [name, content, reason] of wrong) {
      const { code, lines } = await importText(name, content);
      assert.deepEqual([code, lines.length], [1, 1], `${name}: ${lines.join('\n')}`);
      assert.match(lines[0]!, /^users: (?!.*hunter2)/);
      assert.match(lines[0]!, reason);
    }
    assert.match((await start(['-'])).lines.join('\n'), /^users: the format of standard input is not known/);
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
