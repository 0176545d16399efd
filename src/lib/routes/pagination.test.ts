import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import fastify from 'fastify';
import { newId } from '../secrets/ids.ts';
import { createPagination, toLimit } from './pagination.ts';

const create = (byte: number) => createPagination(new Uint8Array(32).fill(byte), 'https://desk.example.com');
const pagination = create(1);

describe('limits', () => {
  test('the limit defaults to 20 when it is absent or 0, and is at most 100', () => {
    const limits = [undefined, 0, 1, 100, 101, Number.MAX_SAFE_INTEGER].map((limit) => toLimit(limit));
    assert.deepEqual(limits, [20, 20, 1, 100, 100, 100]);
  });
});

describe('cursors', () => {
  const parse = (cursor: string, scope = 'list') => pagination.parse(cursor, scope);

  test('cursors return their position in their own list only', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.string(), (position, scope, other) => {
        const cursor = pagination.format(position, scope);
        assert.match(cursor, /^[A-Za-z0-9_-]+$/);
        assert.deepEqual(parse(cursor, scope), JSON.parse(JSON.stringify(position)));
        if (other !== scope)
          assert.throws(() => parse(cursor, other), { code: 'invalid_cursor', status: 400 });
      }),
    );
  });

  test('cursors of another key and changed, truncated or forged ones are rejected', () => {
    const cursor = pagination.format(newId(), 'list');
    const foreign = create(2).format(newId(), 'list');
    const plain = Buffer.from(JSON.stringify(newId())).toString('base64url');
    const bad = ['', 'x', foreign, plain, cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, `${cursor} `];
    for (const text of bad) assert.throws(() => parse(text), { code: 'invalid_cursor' }, text);
    for (let index = 0; index < cursor.length; index++) {
      const changed = cursor[index] === 'A' ? 'B' : 'A';
      const text = cursor.slice(0, index) + changed + cursor.slice(index + 1);
      assert.throws(() => parse(text), { code: 'invalid_cursor' }, text);
    }
  });
});

describe('pages', () => {
  const app = fastify();
  after(() => app.close());
  let next: string | null = null;
  app.get('/list', async ({ query }, reply) =>
    pagination.readPage(reply, {
      query: query as Record<string, string>,
      path: '/list',
      scope: '',
      read: async () => ({ rows: [1], next }),
    }),
  );
  const getLink = async (query: Record<string, string>) =>
    (await app.inject({ url: '/list', query })).headers.link;

  test('pages have no links when all records are on one page', async () => {
    next = null;
    assert.equal(await getLink({}), undefined);
  });

  test('pages have encoded links to the next and the first page with the filters', async () => {
    next = 'last';
    const query = 'email=a%2Bb%40example.com&limit=20';
    const url = `https://desk.example.com/list?${query}`;
    const cursor = pagination.format(next, '');
    assert.equal(
      await getLink({ email: 'a+b@example.com' }),
      `<${url}&cursor=${cursor}>; rel="next", <${url}>; rel="first"`,
    );
  });

  test('pages have no link to a next page on the last one', async () => {
    next = null;
    const cursor = pagination.format('before', '');
    assert.equal(await getLink({ cursor }), '<https://desk.example.com/list?limit=20>; rel="first"');
  });
});
