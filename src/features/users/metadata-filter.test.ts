import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { describeOnEachEngine, describeOnPostgres } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, startService, useService } from '../../../test/support/service.ts';
import { createUnclaimedUser, insertLoggedInUser, insertTestUser } from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';
import { createLog } from '../../lib/log/log.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { startHousekeeping } from '../../startup/housekeeping.ts';
import { eraseUser } from '../people/personal-data/erase-user.ts';
import { NO_FILTER } from './records/list/filter.ts';
import { findUsers } from './records/list/find-users.ts';
import { USER_SORTS } from './records/list/sorts.ts';
import { indexOutdatedUsers } from './records/metadata-index/index-users.ts';
import { readMetadataIndex, setMetadataIndex } from './records/metadata-index/metadata-index.ts';
import { insertUser, insertUsers } from './records/new-user-queries.ts';
import { lockUser, writeUser } from './records/queries.ts';
import { listOutdatedUsers } from './records/search-queries.ts';
import { updateUser } from './update-user.ts';

const admin = { token: ADMIN_TOKEN };
const ALL = sql<{ id: string; user_metadata: string | null; app_metadata: string | null }>(
  'select id, user_metadata, app_metadata from users order by id',
);
const KEYS = sql<{ user_id: string; member: string; value_key: string }>(
  'select user_id, member, value_key from user_metadata_keys order by user_id, member',
);
const METADATA_INDEX = 'app_metadata.plan, user_metadata.company';

describeOnEachEngine('the filter of users by metadata', (engine) => {
  const service = useService(engine, { environment: { METADATA_INDEX } });
  const list = (query: Record<string, string>, credential: object = admin, from = service) =>
    from.api.get(`/api/v1/users?${new URLSearchParams(query)}`, credential);
  const listIds = async (query: Record<string, string>, from = service): Promise<string[]> => {
    const { status, body } = await list(query, admin, from);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.map(({ id }: { id: string }) => id);
  };
  const patch = async (id: string, body: object) => {
    const headers = { 'if-match': '*' };
    const { status } = await service.api.patch(`/api/v1/users/${id}`, body, { ...admin, headers });
    assert.equal(status, 200);
  };

  test('the filter of users by metadata finds exactly the users with the text, after each change of them', async () => {
    const create = async (metadata: object) => (await createUnclaimedUser(service, metadata)).id as string;
    const pro = await create({ app_metadata: { plan: 'pro', seats: 3 } });
    const free = await create({ app_metadata: { plan: 'free' }, user_metadata: { company: 'a:b é' } });
    await create({ user_metadata: { plan: 'pro' } });
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
    const keys = await service.service.database.all(KEYS);
    assert.deepEqual(keys, [], 'no key is left behind');
  });

  test('the filter of users by metadata finds texts of any length', async () => {
    const long = 'x'.repeat(3_000);
    const { id } = await createUnclaimedUser(service, { user_metadata: { company: long } });
    await createUnclaimedUser(service, { user_metadata: { company: `${long}y` } });
    assert.deepEqual(await listIds({ metadata: `user_metadata.company:${long}` }), [id]);
  });

  test('the filter of users by metadata works with other filters, search, orders, pages and the export', async () => {
    const metadata = 'app_metadata.plan:team';
    const names = ['Cleo Quartz', 'Bea Quartz', 'Ada Quartz', 'Dora Onyx'];
    const ids: string[] = [];
    for (const name of names) {
      const more = { name, level: name.startsWith('A') ? 'gold' : 'silver', app_metadata: { plan: 'team' } };
      ids.push((await createUnclaimedUser(service, more)).id);
    }
    await createUnclaimedUser(service, { name: 'Eve Quartz', app_metadata: { plan: 'solo' } });
    const [cleo, bea, ada, dora] = ids as [string, string, string, string];
    assert.deepEqual(await listIds({ metadata, sort: 'name' }), [ada, bea, cleo, dora]);
    assert.deepEqual(await listIds({ metadata, sort: '-created_at' }), [dora, ada, bea, cleo]);
    assert.deepEqual(await listIds({ metadata, search: 'quartz' }), [cleo, bea, ada]);
    assert.deepEqual(await listIds({ metadata, search: 'quartz', level: 'silver' }), [cleo, bea]);
    assert.deepEqual(await listIds({ metadata, state: 'active' }), []);
    const first = await list({ metadata, sort: 'name', limit: '3' });
    assert.equal(first.body.data.length, 3);
    const next = /^<([^>]+)>/.exec(first.headers.get('link')!)![1]!;
    const second = await service.api.get(next, admin);
    assert.deepEqual([second.body.data[0].id, second.body.next_cursor], [dora, null]);
    const cursor = first.body.next_cursor;
    const other = await list({ metadata: 'app_metadata.plan:solo', sort: 'name', cursor });
    assert.equal(other.body.code, 'invalid_cursor');
    const csv = await service.api.get(
      `/api/v1/admin/users/export?${new URLSearchParams({ metadata })}`,
      admin,
    );
    const exported = csv.text.trim().split('\n').slice(1);
    assert.deepEqual(
      exported.map((line) => line.split(',')[0]),
      ids,
    );
  });

  test('the filter of users by metadata rejects members that are not indexed with 400 and names those that are', async () => {
    const indexed = 'indexed is app_metadata.plan, user_metadata.company';
    const expected = [
      400,
      `metadata must begin with an indexed member and a colon; ${indexed}`,
      'invalid_filter',
    ];
    for (const path of ['/api/v1/users', '/api/v1/admin/users/export'])
      for (const metadata of [
        'app_metadata.seats:3',
        'user_metadata.plan:pro',
        'app_metadata.constructor:x',
      ]) {
        const { status, body } = await service.api.get(`${path}?metadata=${metadata}`, admin);
        assert.deepEqual([status, body.error, body.code], expected, path + metadata);
      }
    const without = await startService(engine);
    const { status, body } = await list({ metadata: 'app_metadata.plan:pro' }, admin, without);
    await without.stop();
    assert.equal(status, 400);
    assert.equal(body.error, 'metadata cannot be used: METADATA_INDEX names no member');
  });

  test('the filter of users by metadata rejects text without a member or that cannot be stored with 400 for every caller', async () => {
    const { token } = await insertLoggedInUser(service.service.database);
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

describeOnEachEngine('a change of METADATA_INDEX', (engine) => {
  test('a change of METADATA_INDEX indexes the users that exist, and lists are complete meanwhile', async (context) => {
    const first = await startService(engine);
    const { testDatabase } = first;
    context.after(first.stop);
    const { database } = first.service;
    const ids: string[] = [];
    for (let index = 0; index < 250; index++) {
      const appMetadata = `{"plan":"${index % 5 === 0 ? 'pro' : 'free'}","team":"red"}`;
      const user = await insertTestUser(database, { appMetadata });
      if (index % 5 === 0) ids.push(user.id);
    }
    const environment = { METADATA_INDEX: 'app_metadata.plan' };
    const node = engine === 'sqlite' ? first : await startService(engine, { environment, testDatabase });
    if (engine === 'sqlite') await setMetadataIndex(database, ['app_metadata.plan']);
    else context.after(node.stop);
    const listPro = async () => {
      const { body } = await node.api.get('/api/v1/users?limit=100&metadata=app_metadata.plan:pro', admin);
      return body.data.map(({ id }: { id: string }) => id);
    };
    const check = async () => {
      const { body } = await node.api.get('/api/v1/admin/checks', admin);
      return body.data.checks.find((each: { check: string }) => each.check === 'metadata index');
    };
    assert.deepEqual(await listPro(), ids);
    assert.deepEqual(await database.all(KEYS), []);
    await database.transaction((tx) => indexOutdatedUsers(tx, 100));
    assert.equal((await database.all(KEYS)).length, 100);
    assert.deepEqual(await listPro(), ids);
    const { status, message } = await check();
    assert.equal(status, 'warning');
    assert.match(message, /^the metadata of 150 users is not indexed yet/);
    const housekeeping = startHousekeeping(database, {
      clock: Date.now,
      logger: createLog('silent'),
      settings: { current: { unclaimedUsersDays: 7, eventsDays: 180 } },
    });
    await housekeeping.run();
    await housekeeping.close();
    assert.equal((await database.all(KEYS)).length, 250);
    assert.deepEqual(await listOutdatedUsers(database, 1, 1), []);
    assert.deepEqual(await listPro(), ids);
  });

  test('a change of METADATA_INDEX is reported by the checks of a node until all users are indexed', async (context) => {
    const service = await startService(engine, { environment: { METADATA_INDEX } });
    context.after(service.stop);
    const { body } = await service.api.get('/api/v1/admin/checks', admin);
    const found = body.data.checks.filter(({ check }: { check: string }) => check === 'metadata index');
    assert.deepEqual(
      found.map(({ status }: { status: string }) => status),
      ['ok'],
    );
    assert.match(found[0].message, /names app_metadata\.plan, user_metadata\.company$/);
    assert.equal((await service.api.get('/readyz')).status, 200);
  });

  test('a change of METADATA_INDEX removes the keys of members that it does not name any more', async (context) => {
    const { service, stop } = await startService(engine);
    context.after(stop);
    const { database } = service;
    const indexAll = () => database.transaction((tx) => indexOutdatedUsers(tx, 100));
    await setMetadataIndex(database, ['app_metadata.plan', 'app_metadata.team']);
    await insertTestUser(database, { appMetadata: '{"plan":"pro","team":"red"}' });
    const members = async () => (await database.all(KEYS)).map(({ member }) => member);
    assert.deepEqual(await members(), ['app_metadata.plan', 'app_metadata.team']);
    await setMetadataIndex(database, ['app_metadata.team']);
    assert.equal(await indexAll(), 1);
    assert.deepEqual(await members(), ['app_metadata.team']);
    await setMetadataIndex(database, []);
    assert.equal(await indexAll(), 1);
    assert.deepEqual(await members(), []);
    await setMetadataIndex(database, []);
    assert.equal(await indexAll(), 0, 'the same members make no user outdated');
  });
});

// SQLite has one transaction at a time.
describeOnPostgres('an index of metadata that changes during a transaction', () => {
  const service = useService('postgres');

  test('a change of METADATA_INDEX finds the users of transactions that had begun before it', async () => {
    const { database } = service.service;
    const members = ['app_metadata.plan'];
    const existing = await insertTestUser(database, { appMetadata: '{"plan":"free"}' });
    const late = newId();
    await database.transaction(async (tx) => {
      const email = `${late}@example.com`;
      const rest = { name: null, passwordHash: null, level: null, state: 'active', createdAt: 1 } as const;
      const appMetadata = '{"plan":"pro"}';
      await insertUser(tx, { ...rest, id: late, email, emailKey: email, ownsEmail: true, appMetadata });
      // Other connections index everything that they see.
      await setMetadataIndex(database, members);
      assert.equal(await database.transaction((other) => indexOutdatedUsers(other, 100)), 1);
    });
    const find = async (value: string) => {
      const metadata = { member: members[0]!, value };
      const filter = { ...NO_FILTER, metadata };
      const found = await findUsers(database, { filter, sort: 'created_at', after: null, limit: 10 });
      return found.rows.map(({ id }) => id);
    };
    assert.deepEqual(await find('pro'), [late]);
    assert.deepEqual(await find('free'), [existing.id]);
    assert.equal(await database.transaction((tx) => indexOutdatedUsers(tx, 100)), 1);
    assert.deepEqual(await find('pro'), [late]);
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
  fc.record({ kind: fc.constant('members' as const), members: fc.subarray([...MEMBERS]) }),
  fc.record({ kind: fc.constant('index' as const), limit: fc.constantFrom(1, 3, 100) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Both = typeof both extends fc.Arbitrary<infer T> ? T : never;

const toText = (object: object | null) => {
  const stored = JSON.stringify(object ?? {});
  return stored === '{}' ? null : stored;
};

describeOnEachEngine('the index of metadata', (engine) => {
  const service = useService(engine);

  /** Reads all users, as no index can be wrong about them. */
  async function scan(member: string, wanted: string): Promise<string[]> {
    const [column, name] = member.split('.') as ['app_metadata', string];
    const rows = await service.service.database.all(ALL);
    const matching = rows.filter((row) => {
      const object = JSON.parse(row[column] ?? '{}');
      return Object.hasOwn(object, name) && object[name] === wanted;
    });
    return matching.map(({ id }) => id);
  }

  async function create({ user_metadata, app_metadata }: Both) {
    const metadataTexts = { userMetadata: toText(user_metadata), appMetadata: toText(app_metadata) };
    await insertTestUser(service.service.database, { ...metadataTexts, createdAt: 1 });
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
    await service.service.database.transaction((tx) => insertUsers(tx, rows, 1));
  }

  async function run(each: Step): Promise<void> {
    const { database } = service.service;
    if (each.kind === 'create') return create(each.both);
    if (each.kind === 'import') return importUsers(each.users);
    if (each.kind === 'members') return setMetadataIndex(database, each.members);
    if (each.kind === 'index')
      return void (await database.transaction((tx) => indexOutdatedUsers(tx, each.limit)));
    const users = await database.all(ALL);
    if (users.length === 0) return;
    const { id } = users[each.index % users.length]!;
    const deps = { database, clock: () => 2, maxErasureWaitMs: null };
    if (each.kind === 'erase') return eraseUser(deps, id);
    if (each.kind === 'patch')
      return void (await updateUser(deps, { id, changes: each.both, isExpected: () => true }));
    await database.transaction(async (tx) => {
      const user = (await lockUser(tx, id))!;
      await writeUser(tx, { before: user, after: { ...user, name: 'Renamed' }, now: 3 });
    });
  }

  test('the index of metadata leads to the users that a scan of all users finds, after any writes and changes of its members', async () => {
    const { database } = service.service;
    for (const given of fc.sample(both, { numRuns: 60, seed: 3 })) await create(given);
    let found = 0;
    const history = fc.record({
      steps: fc.array(step, { minLength: 1, maxLength: 8 }),
      members: fc.subarray([...MEMBERS], { minLength: 1 }),
      sort: fc.constantFrom(...USER_SORTS),
      maxCandidates: fc.constantFrom(0, 3, 5_000),
    });
    await fc.assert(
      fc.asyncProperty(history, text, async ({ steps, members, sort, maxCandidates }, wanted) => {
        await setMetadataIndex(database, members);
        for (const each of steps) await run(each);
        const { members: current } = await readMetadataIndex(database);
        for (const member of current) {
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
      { numRuns: 80 },
    );
    assert.ok(found > 100, `the filters find users: ${found}`);
    await verifyKeys();
  });

  /** After all users are indexed, there is exactly one key for each member that is a text. */
  async function verifyKeys(): Promise<void> {
    const { database } = service.service;
    while ((await database.transaction((tx) => indexOutdatedUsers(tx, 500))) > 0);
    const { members } = await readMetadataIndex(database);
    const expected: string[] = [];
    for (const row of await database.all(ALL))
      for (const member of members) {
        const [column, name] = member.split('.') as ['app_metadata', string];
        const object = JSON.parse(row[column] ?? '{}');
        if (Object.hasOwn(object, name) && typeof object[name] === 'string')
          expected.push(`${row.id} ${member}`);
      }
    const keys = (await database.all(KEYS)).map(({ user_id, member }) => `${user_id} ${member}`);
    assert.deepEqual(keys.sort(), expected.sort());
  }
});
