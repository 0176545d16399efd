import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keepHouse } from '../../../test/support/housekeeping.ts';
import { pluck } from '../../../test/support/pluck.ts';
import { describeStorage } from '../../../test/support/runner/engines.ts';
import { admin, editor, useService } from '../../../test/support/service.ts';
import { createUnclaimedUser, insertLoggedInUser, insertTestUser } from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { eraseUser } from '../people/personal-data/erase-user.ts';
import { NO_FILTER } from './records/list/filter.ts';
import { findUsers } from './records/list/find-users.ts';
import { USER_SORTS } from './records/list/sorts.ts';
import { insertUsers } from './records/new-user-queries.ts';
import { lockUser, writeUser } from './records/queries.ts';
import { indexOldUsers, listUnindexedUsers } from './records/search-queries.ts';
import { updateUser } from './update-user.ts';

const ALL = sql<{ id: string; user_metadata: string | null; app_metadata: string | null }>(
  'select id, user_metadata, app_metadata from users order by id',
);
const KEYS = sql<{ user_id: string; member: string; value_key: string }>(
  'select user_id, member, value_key from user_metadata_keys order by user_id, member',
);

describeStorage('the filter of users by metadata', (engine) => {
  const service = useService(engine);
  const list = (query: Record<string, string>, credential: object = admin) =>
    service.api.get(`/api/v1/users?${new URLSearchParams(query)}`, credential);
  const listIds = async (query: Record<string, string>): Promise<string[]> => {
    const { status, body } = await list(query);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.map(({ id }: { id: string }) => id);
  };
  const patch = async (id: string, body: object) => {
    const { status } = await service.api.patch(`/api/v1/users/${id}`, body, editor);
    assert.equal(status, 200);
  };

  test('the filter of users by metadata finds exactly the users with the text, after each change of them', async () => {
    const create = async (metadata: object) => (await createUnclaimedUser(service, metadata)).id as string;
    const pro = await create({ app_metadata: { plan: 'pro', seats: 3 } });
    const free = await create({ app_metadata: { plan: 'free' }, user_metadata: { company: 'a:b é' } });
    const own = await create({ user_metadata: { plan: 'pro' } });
    await create({});
    assert.deepEqual(await listIds({ metadata: 'app_metadata.plan:pro' }), [pro]);
    assert.deepEqual(await listIds({ metadata: 'user_metadata.company:a:b é' }), [free]);
    for (const metadata of ['app_metadata.plan:pr', 'app_metadata.plan:Pro', 'app_metadata.plan:'])
      assert.deepEqual(await listIds({ metadata }), [], metadata);
    await patch(free, { app_metadata: { plan: 'pro' } });
    assert.deepEqual(await listIds({ metadata: 'app_metadata.plan:pro' }), [pro, free]);
    await patch(pro, { app_metadata: { plan: null } });
    assert.deepEqual(await listIds({ metadata: 'app_metadata.plan:pro' }), [free]);
    await patch(free, { user_metadata: null, name: 'Another name' });
    assert.deepEqual(await listIds({ metadata: 'user_metadata.company:a:b é' }), []);
    assert.deepEqual(await listIds({ metadata: 'app_metadata.plan:pro' }), [free]);
    await service.api.delete(`/api/v1/users/${free}`, admin);
    assert.deepEqual(await listIds({ metadata: 'app_metadata.plan:pro' }), []);
    const keys = await service.database.all(KEYS);
    assert.deepEqual(pluck(keys, 'user_id'), [own], 'no key is left behind');
  });

  test('the filter of users by metadata holds for all pages and for the export', async () => {
    const ids: string[] = [];
    for (const plan of ['team', 'solo', 'team'])
      ids.push((await createUnclaimedUser(service, { app_metadata: { plan } })).id);
    const metadata = 'app_metadata.plan:team';
    const first = await list({ metadata, limit: '1' });
    const next = /^<([^>]+)>/.exec(first.headers.get('link')!)![1]!;
    const second = await service.api.get(next, admin);
    assert.deepEqual([first.body.data[0].id, second.body.data[0].id], [ids[0], ids[2]]);
    const other = await list({ metadata: 'app_metadata.plan:solo', cursor: first.body.next_cursor });
    assert.equal(other.body.code, 'invalid_cursor');
    const csv = await service.api.get(`/api/v1/admin/users/export?metadata=${metadata}`, admin);
    const exported = csv.text.trim().split('\n').slice(1);
    assert.deepEqual(
      exported.map((line) => line.split(',')[0]),
      [ids[0], ids[2]],
    );
  });

  test('the filter of users by metadata rejects text without a member or that cannot be stored with 400 for every caller', async () => {
    const { token } = await insertLoggedInUser(service.database);
    const query = 'metadata=app_metadata.plan:a&metadata=app_metadata.plan:b';
    const wrong = ['plan:pro', 'app_metadata.plan', ':', '', 'app_metadata.:x', 'app_metadata.plan:\0'].map(
      (metadata) => String(new URLSearchParams({ metadata })),
    );
    for (const credential of [{}, { token }, admin])
      for (const each of [...wrong, query]) {
        const { status, body } = await service.api.get(`/api/v1/users?${each}`, credential);
        assert.deepEqual([status, body.code], [400, 'invalid_filter'], each);
        assert.match(body.error, /^metadata /);
      }
    const own = await list({ metadata: 'app_metadata.none:x' }, { token });
    assert.equal(own.body.data.length, 1, 'users get their own record');
    assert.deepEqual((await list({ metadata: 'app_metadata.none:x' }, {})).body, { message: 'Users list' });
  });
});

/** Makes a user one whose metadata a node of release 0.2 has written, without any indexed member. */
const MAKE_OLD = sql('update users set metadata_generation = 1 where id = $1');
const DELETE_KEYS = sql('delete from user_metadata_keys where user_id = $1');

describeStorage('metadata that release 0.2 has written', (engine) => {
  const service = useService(engine);

  test('metadata that release 0.2 has written is found at once, and indexed by the housekeeping', async () => {
    const { database } = service;
    const ids: string[] = [];
    for (let index = 0; index < 30; index++) {
      const { id } = await insertTestUser(database, { appMetadata: `{"plan":"pro","team":"red"}` });
      ids.push(id);
      await database.transaction(async (tx) => {
        await tx.run(MAKE_OLD, id);
        await tx.run(DELETE_KEYS, id);
      });
    }
    const listPro = async () => {
      const { body } = await service.api.get('/api/v1/users?limit=100&metadata=app_metadata.plan:pro', admin);
      return body.data.map(({ id }: { id: string }) => id);
    };
    assert.deepEqual(await listPro(), ids);
    assert.equal(await database.transaction((tx) => indexOldUsers(tx, 12)), 12);
    assert.equal((await database.all(KEYS)).length, 24);
    assert.deepEqual(await listPro(), ids);
    await keepHouse(database);
    assert.equal((await database.all(KEYS)).length, 60);
    assert.deepEqual(await listUnindexedUsers(database, 1), []);
    assert.deepEqual(await listPro(), ids);
  });
});

const MEMBERS = ['app_metadata.plan', 'user_metadata.plan', 'app_metadata.constructor'] as const;
const text = fc.constantFrom('pro', 'free', '', 'x'.repeat(64), 'x'.repeat(65), 'é"\\');
const value = fc.oneof({ weight: 4, arbitrary: text }, fc.constantFrom(1, true, ['pro'], { plan: 'pro' }));
const metadata = fc.oneof(
  fc.constant(null),
  fc.dictionary(fc.constantFrom('plan', 'constructor', 'other'), value, { maxKeys: 3 }),
);
const both = fc.record({ user_metadata: metadata, app_metadata: metadata });
const index = fc.nat(30);
const step = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), both }),
  fc.record({ kind: fc.constant('import' as const), users: fc.array(both, { minLength: 1, maxLength: 4 }) }),
  fc.record({ kind: fc.constant('patch' as const), index, both }),
  fc.record({ kind: fc.constant('rename' as const), index }),
  fc.record({ kind: fc.constant('erase' as const), index }),
  fc.record({ kind: fc.constant('old' as const), index }),
  fc.record({ kind: fc.constant('index' as const), limit: fc.constantFrom(1, 3, 100) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Both = typeof both extends fc.Arbitrary<infer T> ? T : never;

const toText = (object: object | null) => {
  const stored = JSON.stringify(object ?? {});
  return stored === '{}' ? null : stored;
};

describeStorage('the index of metadata', (engine) => {
  const service = useService(engine);
  const { database } = service;

  /** Reads all users, as no index can be wrong about them. */
  async function scan(member: string, wanted: string): Promise<string[]> {
    const [column, name] = member.split('.') as ['app_metadata', string];
    const rows = await service.database.all(ALL);
    const matching = rows.filter((row) => {
      const object = JSON.parse(row[column] ?? '{}');
      return Object.hasOwn(object, name) && object[name] === wanted;
    });
    return matching.map(({ id }) => id);
  }

  async function create({ user_metadata, app_metadata }: Both) {
    const metadataTexts = { userMetadata: toText(user_metadata), appMetadata: toText(app_metadata) };
    await insertTestUser(service.database, { ...metadataTexts, createdAt: 1 });
  }

  async function importUsers(users: readonly Both[]) {
    const rows = users.map(({ user_metadata, app_metadata }) => {
      const id = newId();
      return {
        ...{ id, name: null, email: `${id}@example.com`, emailKey: `${id}@example.com`, passwordHash: null },
        ...{ level: null, ownsEmail: true, state: 'unclaimed' as const, emailVerifiedAt: null, createdAt: 1 },
        ...{ userMetadata: toText(user_metadata), appMetadata: toText(app_metadata) },
      };
    });
    await service.database.transaction((tx) => insertUsers(tx, rows, 1));
  }

  async function run(each: Step): Promise<void> {
    if (each.kind === 'create') return create(each.both);
    if (each.kind === 'import') return importUsers(each.users);
    if (each.kind === 'index')
      return void (await database.transaction((tx) => indexOldUsers(tx, each.limit)));
    const users = await database.all(ALL);
    if (users.length === 0) return;
    const { id } = users[each.index % users.length]!;
    if (each.kind === 'old')
      return database.transaction(async (tx) => {
        await tx.run(MAKE_OLD, id);
        await tx.run(DELETE_KEYS, id);
      });
    const deps = { database, clock: () => 2, maxErasureWaitMs: null };
    if (each.kind === 'erase') return eraseUser(deps, id);
    if (each.kind === 'patch')
      return void (await updateUser(deps, { id, changes: each.both, isExpected: () => true }));
    await database.transaction(async (tx) => {
      const user = (await lockUser(tx, id))!;
      await writeUser(tx, { before: user, after: { ...user, name: 'Renamed' }, now: 3 });
    });
  }

  test('the index of metadata leads to the users that a scan of all users finds, after any writes of this release and the one before', async () => {
    for (const given of fc.sample(both, { numRuns: 40, seed: 3 })) await create(given);
    let found = 0;
    const history = fc.record({
      steps: fc.array(step, { minLength: 1, maxLength: 8 }),
      sort: fc.constantFrom(...USER_SORTS),
      maxCandidates: fc.constantFrom(0, 3, 5_000),
    });
    await fc.assert(
      fc.asyncProperty(history, text, async ({ steps, sort, maxCandidates }, wanted) => {
        for (const each of steps) await run(each);
        for (const member of MEMBERS) {
          const filter = { ...NO_FILTER, metadata: { member, value: wanted } };
          const request = { filter, sort, after: null, limit: 1_000 };
          const { rows: users } = await findUsers(database, request, {
            maxCandidates,
            maxRead: 5_000,
            firstRead: 500,
          });
          const ids = users.map(({ id }) => id).sort();
          assert.deepEqual(ids, await scan(member, wanted));
          found += ids.length;
        }
      }),
      { numRuns: engine === 'sqlite' ? 50 : 25 },
    );
    assert.ok(found > 30, `the filters find users: ${found}`);
    await verifyKeys();
  });

  /** After all users are indexed, there is exactly one key for each member that is a text. */
  async function verifyKeys(): Promise<void> {
    while ((await database.transaction((tx) => indexOldUsers(tx, 500))) > 0);
    const expected = (await database.all(ALL)).flatMap(({ id, ...row }) =>
      (['app_metadata', 'user_metadata'] as const).flatMap((column) =>
        Object.entries(JSON.parse(row[column] ?? '{}'))
          .filter(([, member]) => typeof member === 'string')
          .map(([name]) => `${id} ${column}.${name}`),
      ),
    );
    const keys = (await database.all(KEYS)).map(({ user_id, member }) => `${user_id} ${member}`);
    assert.deepEqual(keys.sort(), expected.sort());
  }
});
