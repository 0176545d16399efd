import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../../test/support/service.ts';
import { createUnclaimedUser, insertLoggedInUser, insertTestUser } from '../../../../test/support/users.ts';
import { normalizeName } from '../../../lib/text/names.ts';
import { compareBytes } from '../../../lib/text/prefix-range.ts';
import { insertUser, type NewUser } from '../queries.ts';

const admin = { token: ADMIN_TOKEN };
const CHARACTERS = [
  'a',
  'A',
  'b',
  '@',
  ' ',
  'é',
  'e\u0301',
  'É',
  'Σ',
  'ς',
  'İ',
  'ß',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '😀',
  '\u{10ffff}',
];
const name = fc.string({ unit: fc.constantFrom(...CHARACTERS), minLength: 1, maxLength: 4 });
const email = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '.'), minLength: 1, maxLength: 4 });
const prefix = fc.oneof(name, email).filter((text) => text.trim() !== '');
const state = fc.constantFrom(null, 'active', 'disabled', 'unclaimed');

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly next_cursor: string | null;
}

describeOnEachEngine('GET /api/v1/users?search=', (engine) => {
  const service = useService(engine);
  const list = (query: Record<string, string>) =>
    service.api.get(`/api/v1/users?${new URLSearchParams(query)}`, admin);

  /** Follows the cursors and returns the ids of each page. */
  const listPages = async (query: Record<string, string>): Promise<string[][]> => {
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, body } = await list(cursor === '' ? query : { ...query, cursor });
      assert.equal(status, 200);
      pages.push((body as Page).data.map(({ id }) => id));
      cursor = (body as Page).next_cursor;
    }
    return pages;
  };
  const listIds = async (query: Record<string, string>) => (await listPages(query)).flat();

  const users: NewUser[] = [];
  before(async () => {
    const samples = fc.sample(fc.record({ name: fc.option(name), email, state }), { numRuns: 150, seed: 7 });
    for (const sample of samples) {
      const given = sample.state ?? 'active';
      users.push(
        await insertTestUser(service.service.database, {
          ...sample,
          emailKey: sample.email.toLowerCase(),
          ownsEmail: false,
          state: given as NewUser['state'],
        }),
      );
    }
  });

  /** Filters and orders all users. */
  const expected = (start: string, only: string | null): string[] => {
    const key = normalizeName(start);
    return users
      .filter((user) => only === null || user.state === only)
      .flatMap((user) => {
        const keys = [user.emailKey, user.name === null ? null : normalizeName(user.name)];
        const [first] = keys.filter((each) => each?.startsWith(key)).sort((a, b) => compareBytes(a!, b!));
        return first == null ? [] : [{ id: user.id, key: first }];
      })
      .sort((one, other) => compareBytes(one.key, other.key) || compareBytes(one.id, other.id))
      .map(({ id }) => id);
  };

  test('the search of users returns each match of an email or name once, ordered by that text and the id', async () => {
    const query = fc.record({ start: prefix, only: state, limit: fc.constantFrom('1', '3', '100') });
    let found = 0;
    await fc.assert(
      fc.asyncProperty(query, async ({ start, only, limit }) => {
        const ids = await listIds({ search: start, limit, ...(only === null ? {} : { state: only }) });
        assert.deepEqual(ids, expected(start, only));
        found += ids.length;
      }),
      { numRuns: 120 },
    );
    assert.ok(found > 100, 'the searches find users');
  });

  test('the search of users ignores case, surrounding white space and the form of characters', async () => {
    const { id } = await createUnclaimedUser(service, { name: 'Zoë Ångström' });
    for (const search of ['zoë', ' ZOE\u0308 ', 'Zoë ångs', 'zo'])
      assert.deepEqual(await listIds({ search }), [id]);
    assert.deepEqual(await listIds({ search: 'ngström' }), []);
  });

  test('the search of users finds a changed name and email, and not the old ones', async () => {
    const { id } = await createUnclaimedUser(service, { name: 'Xaver', email: 'xaver@example.com' });
    const changes = { name: 'Ypsilon', email: 'ypsilon@example.com' };
    const headers = { 'if-match': '*' };
    assert.equal(
      (await service.api.patch(`/api/v1/users/${id}`, changes, { ...admin, headers })).status,
      200,
    );
    assert.deepEqual(await listIds({ search: 'xaver' }), []);
    assert.deepEqual(await listIds({ search: 'YPSILON' }), [id]);
  });

  test('the search of users finds records of anonymous callers', async () => {
    const { id } = (await service.api.post('/api/v1/users', { name: 'Wanda' })).body.data;
    assert.deepEqual(await listIds({ search: 'wanda' }), [id]);
  });

  test('the search of users repeats the filters in the links', async () => {
    const { headers, body } = await list({ search: ' A', limit: '1', state: 'active' });
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link')!)![1]!;
    const parameters = Object.fromEntries(new URL(next, 'http://x').searchParams);
    assert.deepEqual(parameters, { state: 'active', search: 'a', limit: '1', cursor: body.next_cursor });
    assert.deepEqual((await service.api.get(next, admin)).body.data[0].id, expected('a', 'active')[1]);
  });

  test('the search of users rejects the cursors of other searches and lists with 400, and its own in these', async () => {
    const cursor = (await list({ search: 'a', limit: '1' })).body.next_cursor;
    const other = (await list({ limit: '1' })).body.next_cursor;
    for (const query of [
      { search: 'ab', cursor },
      { search: 'a', state: 'active', cursor },
      { email: 'a', cursor },
      { cursor },
      { search: 'a', cursor: other },
    ]) {
      const { status, body } = await list(query as Record<string, string>);
      assert.equal(status, 400, JSON.stringify(query));
      assert.equal(body.code, 'invalid_cursor');
    }
  });

  test('the search of users bounds what a page reads, and returns a shorter page with a cursor', async () => {
    const added: NewUser[] = [];
    await service.service.database.transaction(async (tx) => {
      for (let number = 0; number < 2_300; number++) {
        const key = `quota-${String(number).padStart(5, '0')}`;
        const user: NewUser = {
          id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
          name: key,
          email: `${key}@example.com`,
          emailKey: `${key}@example.com`,
          ownsEmail: true,
          passwordHash: null,
          level: null,
          state: number === 2_200 ? 'disabled' : 'active',
          createdAt: 0,
        };
        await insertUser(tx, user);
        added.push(user);
      }
    });
    const pages = await listPages({ search: 'quota', state: 'disabled' });
    assert.deepEqual(pages.flat(), [added[2_200]!.id]);
    assert.deepEqual(pages[0], []);
    assert.deepEqual(
      await listIds({ search: 'Quota-', limit: '100' }),
      added.map(({ id }) => id),
    );
  });

  for (const query of [
    'search=',
    'search=%20',
    'search=a%00',
    'search=a&search=b',
    `search=${'a'.repeat(256)}`,
  ]) {
    test(`the search of users rejects ${query.slice(0, 20)} with 400 for every caller`, async () => {
      for (const credential of [{}, admin]) {
        const { status, body } = await service.api.get(`/api/v1/users?${query}`, credential);
        assert.equal(status, 400);
        assert.equal(body.code, 'invalid_filter');
        assert.match(body.error, /^search must/);
      }
    });
  }

  test('the search of users rejects search together with email with 400 that names both', async () => {
    const { status, body } = await list({ search: 'a', email: 'a' });
    assert.equal(status, 400);
    assert.deepEqual(body, { error: 'email and search cannot be combined', code: 'invalid_filter' });
  });

  test('the search of users returns no other record to users and anonymous callers', async () => {
    const user = await insertLoggedInUser(service.service.database);
    const anonymous = await service.api.get('/api/v1/users?search=a');
    assert.deepEqual(anonymous.body, { message: 'Users list' });
    const own = await service.api.get('/api/v1/users?search=a', { token: user.token });
    assert.deepEqual(
      own.body.data.map(({ id }: { id: string }) => id),
      [user.id],
    );
  });
});
