import assert from 'node:assert/strict';
import { once } from 'node:events';
import { before, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { readXlsx } from 'hucre';
import { pluck } from '../../../test/support/pluck.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, admin, newUserData, useService } from '../../../test/support/service.ts';
import { insertTestUser } from '../../../test/support/users.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { Problem } from '../../problems/problem.ts';
import { createExportUsers } from './export-users.ts';
import { NO_FILTER } from './records/list/filter.ts';
import { insertUser } from './records/new-user-queries.ts';

const PATH = '/api/v1/admin/users/export';
const DAY = Date.UTC(2026, 2, 31, 23, 59);
const COLUMNS =
  'id,email,name,level,locale,state,email_verified_at,last_login_at,created_at,updated_at,version,user_metadata,app_metadata,zoneinfo,groups';

interface Line {
  readonly [column: string]: string;
}

describeOnEachEngine('GET /api/v1/admin/users/export', (engine) => {
  const service = useService(engine, { clock: () => DAY, monotonicClock: () => performance.now() });
  const exportText = async (query = '') => {
    const { status, text } = await service.api.get(`${PATH}${query}`, admin);
    assert.equal(status, 200);
    return text;
  };
  const parseLines = (text: string): Line[] => parse(text, { columns: true });
  const ids: string[] = [];
  const disabled: string[] = [];

  // More than two pages.
  before(() =>
    service.database.transaction(async (tx) => {
      for (let index = 0; index < 1_200; index++) {
        const { email } = newUserData();
        const state = index % 100 === 7 ? 'disabled' : 'active';
        const id = newId();
        const name = `Person ${index}`;
        const rest = { passwordHash: 'the-hash', level: null, ownsEmail: true, createdAt: DAY };
        await insertUser(tx, { id, name, email, emailKey: email, state, ...rest });
        ids.push(id);
        if (state === 'disabled') disabled.push(id);
      }
    }),
  );

  test('the export of users has every user once, oldest first, as a file to download', async () => {
    const { status, headers, text } = await service.api.get(PATH, admin);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(headers.get('content-disposition'), 'attachment; filename="users-2026-03-31.csv"');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(text.split('\n')[0], COLUMNS);
    const lines = parseLines(text);
    assert.deepEqual(pluck(lines, 'id'), ids);
    const { email, ...first } = lines[0]!;
    assert.match(email!, /@example\.com$/);
    const time = '2026-03-31T23:59:00.000Z';
    assert.deepEqual(first, {
      id: ids[0],
      name: 'Person 0',
      level: '',
      locale: '',
      state: 'active',
      email_verified_at: '',
      last_login_at: '',
      created_at: time,
      updated_at: time,
      version: '1',
      user_metadata: '{}',
      zoneinfo: '',
      app_metadata: '{}',
      groups: '',
    });
    assert.ok(!text.includes('the-hash'));
    const { body } = await service.api.get('/api/v1/events?type=users.exported', admin);
    const [{ subject, actor, details, request_id }] = body.data;
    assert.deepEqual(
      [body.data.length, subject, actor.name, details, request_id],
      [1, 'users', 'ADMIN_TOKEN', { with_password_hashes: false }, headers.get('x-request-id')],
    );
  });

  test('the export of users has the users that the list returns with the same filters', async () => {
    assert.deepEqual(
      parseLines(await exportText('?state=disabled')).map(({ id }) => id),
      disabled,
    );
    const found = parseLines(await exportText('?search=person%201'));
    const expected = Array.from({ length: 1_200 }, (_, index) => `Person ${index}`).filter((name) =>
      name.startsWith('Person 1'),
    );
    assert.deepEqual(pluck(found, 'name'), expected);
    const both = parseLines(await exportText('?search=person&state=disabled'));
    assert.deepEqual(pluck(both, 'id'), disabled);
    assert.deepEqual(parseLines(await exportText('?search=person&created_from=2026-04-01')), []);
    const { email } = found[0]!;
    assert.deepEqual(parseLines(await exportText(`?email=${encodeURIComponent(email!)}`)), [found[0]]);
  });

  if (engine === 'postgres') return;

  test('the export of users as a spreadsheet has every user, with texts, times and metadata', async () => {
    const userMetadata = '{"plan":"=1+1"}';
    const name = '=1+1';
    await insertTestUser(service.database, {
      ...{ name, email: 's@x.y', emailKey: 's@x.y', ownsEmail: false, userMetadata },
    });
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    const read = async (query: string, accept = '*/*') => {
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, accept };
      const response = await fetch(`${service.api.url}${PATH}${query}`, { headers });
      const disposition = 'attachment; filename="users-2026-03-31.xlsx"';
      assert.equal(response.headers.get('content-type'), type);
      assert.equal(response.headers.get('content-disposition'), disposition);
      const [sheet] = (await readXlsx(await response.bytes())).sheets;
      assert.deepEqual(sheet!.rows[1]!.join(), COLUMNS);
      return { titles: sheet!.rows[0]!, users: sheet!.rows.slice(2) };
    };
    const all = await read('?format=xlsx&search=person');
    assert.deepEqual(
      all.users.map(([id]) => id),
      ids,
    );
    assert.deepEqual(all.titles.slice(0, 2), ['ID', 'Email']);
    assert.deepEqual(all.titles[7], 'Last sign-in (UTC)');
    assert.deepEqual(all.users[0]!.slice(8, 11), [new Date(DAY), new Date(DAY), 1]);
    const [user] = (await read('?email=s@x.y', type)).users;
    assert.deepEqual([user![2], user![11]], [name, userMetadata]);
  });

  test('the export of users puts an apostrophe before values that a spreadsheet would execute', async () => {
    for (const name of ['=1+1', 'a,"b"\nc', 'Eve;=1+1'])
      await insertTestUser(service.database, {
        name,
        email: 'f@x.y',
        emailKey: 'f@x.y',
        ownsEmail: false,
        userMetadata: JSON.stringify({ name }),
      });
    const exported = parseLines(await exportText('?email=f@x.y'));
    assert.deepEqual(pluck(exported, 'name'), ["'=1+1", 'a,"b"\nc', "Eve;'=1+1"]);
    assert.equal(exported.at(-1)!.user_metadata, `{"name":"Eve;'=1+1"}`, 'JSON stays JSON');
  });

  test('the export of users is possible again after each export, also after HEAD and after a disconnected client', async () => {
    for (let round = 0; round < 3; round++) {
      await exportText();
      const head = await service.api.request('HEAD', PATH, admin);
      assert.deepEqual([head.status, head.text], [200, '']);
      const abort = new AbortController();
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
      const response = await fetch(`${service.api.url}${PATH}`, { headers, signal: abort.signal });
      assert.equal(response.status, 200);
      abort.abort();
      await assert.rejects(response.text());
    }
  });

  test('the export of users rejects a third export at the same time with 503 until one ends', async () => {
    const { database } = service;
    const exportUsers = createExportUsers({ database, clock: () => DAY });
    const [first, second] = [await exportUsers(NO_FILTER), await exportUsers(NO_FILTER)];
    await assert.rejects(
      exportUsers(NO_FILTER),
      (error) =>
        error instanceof Problem &&
        error.code === 'service_unavailable' &&
        error.options.retryAfterSeconds === 10,
    );
    first.destroy();
    await once(first, 'close');
    const third = await exportUsers(NO_FILTER);
    await assert.rejects(exportUsers(NO_FILTER), { code: 'service_unavailable' });
    assert.ok((await third.toArray()).join('').startsWith(COLUMNS));
    assert.ok((await second.toArray()).length > 2, 'a chunk for each page');
  });
});
