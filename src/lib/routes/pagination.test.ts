import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, newUserData, useService } from '../../../test/support/service.ts';
import { newId } from '../secrets/ids.ts';
import { createPagination, pageLinks } from './pagination.ts';

const pagination = createPagination(new Uint8Array(32).fill(1));
const readLimit = (limit: string | string[] | undefined) => pagination.read({ limit }, 'list').limit;

describe('the limit parameter', () => {
  test('the limit defaults to 20 when it is absent or 0, and is at most 100', () => {
    const limits = [undefined, '0', '00', '1', '020', '100', '101', '999999999', '9'.repeat(400)].map(
      readLimit,
    );
    assert.deepEqual(limits, [20, 20, 20, 1, 20, 100, 100, 100, 100]);
  });

  for (const limit of [
    '',
    '-1',
    '+1',
    '1.0',
    '1e2',
    ' 1',
    '1 ',
    '0x10',
    '١',
    'ten',
    'NaN',
    ['1', '2'],
    ['1', '1'],
  ]) {
    test(`the limit ${JSON.stringify(limit)} is rejected with 400`, () => {
      assert.throws(() => readLimit(limit), { code: 'invalid_limit', status: 400 });
    });
  }

  test('the limit is read as 1 to 100, or throws invalid_limit, for any text', () => {
    const text = fc.oneof(fc.string(), fc.integer().map(String), fc.bigInt().map(String));
    fc.assert(
      fc.property(text, (limit) => {
        try {
          const read = readLimit(limit);
          assert.ok(Number.isInteger(read) && read >= 1 && read <= 100);
        } catch (error) {
          assert.equal((error as { code?: string }).code, 'invalid_limit');
        }
      }),
    );
  });
});

describe('cursors', () => {
  const readAfter = (cursor: string | string[] | undefined, scope = 'list') =>
    pagination.read({ cursor }, scope).after;

  test('cursors return their id in their own list only', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string(), fc.string(), (id, scope, other) => {
        const cursor = pagination.cursor(id, scope);
        assert.match(cursor, /^[A-Za-z0-9_-]+$/);
        assert.equal(readAfter(cursor, scope), id);
        if (other !== scope)
          assert.throws(() => readAfter(cursor, other), { code: 'invalid_cursor', status: 400 });
      }),
    );
  });

  test('cursors of another key and changed, truncated or forged ones are rejected', () => {
    const cursor = pagination.cursor(newId(), 'list');
    const foreign = createPagination(new Uint8Array(32).fill(2)).cursor(newId(), 'list');
    const plain = Buffer.from(newId()).toString('base64url');
    const bad = ['', 'x', foreign, plain, cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, `${cursor} `];
    for (const text of bad) assert.throws(() => readAfter(text), { code: 'invalid_cursor' }, text);
    for (let index = 0; index < cursor.length; index++) {
      const changed = cursor[index] === 'A' ? 'B' : 'A';
      const text = cursor.slice(0, index) + changed + cursor.slice(index + 1);
      assert.throws(() => readAfter(text), { code: 'invalid_cursor' }, text);
    }
  });

  test('an absent cursor returns null, and a repeated one is rejected', () => {
    const cursor = pagination.cursor(newId(), 'list');
    assert.equal(readAfter(undefined), null);
    assert.throws(() => readAfter([cursor, cursor]), { code: 'invalid_cursor' });
  });
});

describe('pageLinks', () => {
  test('pageLinks returns no links when all records are on one page', () => {
    assert.equal(
      pageLinks({ url: '/list', parameters: {}, limit: 20, nextCursor: null, isFirst: true }),
      undefined,
    );
  });

  test('pageLinks returns encoded links to the next and the first page with the filters', () => {
    const links = pageLinks({
      url: '/list',
      parameters: { email: 'a+b@example.com' },
      limit: 5,
      nextCursor: 'c_-1',
      isFirst: false,
    });
    const query = 'email=a%2Bb%40example.com&limit=5';
    assert.equal(links, `</list?${query}&cursor=c_-1>; rel="next", </list?${query}>; rel="first"`);
  });

  test('pageLinks returns no link to a next page on the last page', () => {
    assert.equal(
      pageLinks({ url: '/list', parameters: {}, limit: 5, nextCursor: null, isFirst: false }),
      '</list?limit=5>; rel="first"',
    );
  });
});

describeOnSqlite('paginated lists', (engine) => {
  const service = useService(engine);

  test('lists return every record once in order of creation when their links are followed', async () => {
    const created: string[] = [];
    for (let count = 0; count < 7; count++) {
      const { name, email } = newUserData();
      const { body } = await service.api.post('/api/v1/users', { name, email }, { token: ADMIN_TOKEN });
      created.push(body.data.id);
    }
    const seen: string[] = [];
    let next: string | undefined = '/api/v1/users?limit=3';
    const sizes: number[] = [];
    while (next !== undefined) {
      const { headers, body } = await service.api.get(next, { token: ADMIN_TOKEN });
      sizes.push(body.data.length);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      assert.equal(next === undefined, body.next_cursor === null);
    }
    assert.deepEqual(sizes, [3, 3, 1]);
    assert.deepEqual(seen, created);
  });

  test('lists reject a wrong limit and a wrong cursor with 400, also for anonymous callers', async () => {
    for (const token of [undefined, ADMIN_TOKEN]) {
      const options = token === undefined ? {} : { token };
      const limit = await service.api.get('/api/v1/users?limit=1&limit=2', options);
      assert.equal(limit.status, 400);
      assert.equal(limit.body.error, 'limit must be an integer between 1 and 100');
      const cursor = await service.api.get('/api/v1/users?cursor=x', options);
      assert.deepEqual([cursor.status, cursor.body.error], [400, 'cursor is invalid']);
    }
    assert.equal((await service.api.get('/api/v1/users?unknown=1&unknown=2')).status, 200);
  });
});
