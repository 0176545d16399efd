import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertTestEvents, numberAllEvents } from '../../../test/support/events.ts';
import { pluck } from '../../../test/support/pluck.ts';
import { describeOnEachEngine, describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, admin, useService, useSharedService } from '../../../test/support/service.ts';
import { insertLoggedInUser, insertTestUser } from '../../../test/support/users.ts';
import { runInContext } from '../../callers/action-context.ts';
import { sql } from '../../database/database.ts';
import { DAY } from '../../lib/time.ts';
import { readEventsAfter } from './queries.ts';
import { type NewEvent, recordEvent } from './record-event.ts';
import { deleteOldEvents } from './retention/delete-events.ts';

const PATH = '/api/v1/events';
const NOW = Date.UTC(2026, 0, 10);

const ids = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id);

const RESTORE = sql('update event_chain set number = $1 where id = 1');

describeOnEachEngine('GET /api/v1/events', (engine) => {
  const service = useService(engine, { clock: () => NOW, monotonicClock: () => performance.now() });
  const database = () => service.database;
  const record = (...events: Partial<NewEvent>[]) =>
    database().transaction(async (tx) => {
      for (const event of events) {
        const known = { type: 'password.changed', actor: 'user', now: NOW } as const;
        await recordEvent(tx, { ...known, ...event });
      }
    });
  const list = (query: string, request: object = admin) => service.api.get(`${PATH}?${query}`, request);

  test('the list of events has the latest events first, with the present names of users', async () => {
    const { id, name, email } = await insertTestUser(database());
    await record(
      { userId: id, now: NOW - 1 },
      { userId: id, changes: [{ name: 'name' }], type: 'user.updated' },
    );
    const { status, headers, body } = await list(`subject=user:${id}`);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(body.next_cursor, null);
    assert.deepEqual(
      body.data.map(({ type, sequence }: never) => [type, sequence]),
      [
        ['user.updated', 2],
        ['password.changed', 1],
      ],
    );
    const { time, user, changes, actor } = body.data[0];
    assert.deepEqual([time, user], ['2026-01-10T00:00:00.000Z', { id, email, name }]);
    assert.deepEqual([changes, actor], [[{ name: 'name' }], { type: 'user', id, name: null, kind: null }]);
  });

  test('the list of events has every event once in both orders when its cursors are followed', async () => {
    const { id } = await insertTestUser(database());
    await record(...Array.from({ length: 7 }, (_, index) => ({ userId: id, now: NOW + index })));
    const filter = `subject=user:${id}&type=password.changed`;
    const newest = await list(filter);
    assert.equal(newest.body.data.length, 7);
    for (const order of ['-time', 'time']) {
      const seen: string[] = [];
      let next = `${PATH}?${filter}&limit=3&order=${order}`;
      for (let page = 0; page < 3; page++) {
        const { body, headers } = await service.api.get(next, admin);
        seen.push(...body.data.map(({ id }: { id: string }) => id));
        next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
        if (body.next_cursor !== null) assert.ok(next.endsWith(`&cursor=${body.next_cursor}`));
      }
      assert.deepEqual(order === 'time' ? seen.toReversed() : seen, ids(newest));
      assert.equal(next === '', order === '-time');
    }
  });

  test('the last page of the oldest first has a cursor, which returns the events that are added later', async () => {
    const { id } = await insertTestUser(database());
    await record({ userId: id });
    const filter = `subject=user:${id}&order=time`;
    const first = await list(filter);
    assert.equal(first.body.data.length, 1);
    const empty = await list(`${filter}&cursor=${first.body.next_cursor}`);
    assert.deepEqual(empty.body.data, []);
    await record({ userId: id, type: 'user.disabled' });
    for (const { body } of [first, empty]) {
      const next = await list(`${filter}&cursor=${body.next_cursor}`);
      assert.deepEqual(pluck(next.body.data, 'type'), ['user.disabled']);
    }
  });

  test('the list of events has the events that meet all conditions', async () => {
    const { id } = await insertTestUser(database());
    const other = await insertTestUser(database());
    await record(
      { userId: id, now: NOW - DAY },
      { userId: id, actor: 'administrator', type: 'user.disabled', now: NOW + DAY },
      { userId: id, actor: 'anonymous', type: 'login.failed', outcome: 'failure', reason: 'disabled' },
      { userId: other.id, now: NOW },
      { subject: 'settings', actor: 'system', type: 'settings.changed' },
    );
    const own = `subject=user:${id}`;
    const types = async (query: string) =>
      (await list(query)).body.data.map(({ type }: { type: string }) => type).toReversed();
    const all = ['password.changed', 'user.disabled', 'login.failed'];
    assert.deepEqual(await types(own), all);
    assert.deepEqual(await types(`${own}&type=user.disabled`), ['user.disabled']);
    assert.deepEqual(await types(`${own}&actor=administrator`), ['user.disabled']);
    assert.deepEqual(await types(`actor=user:${id}`), ['password.changed']);
    const asAdministrator = { actor: { type: 'administrator', id, name: null } } as const;
    await record({ ...asAdministrator, userId: other.id, type: 'user.enabled', now: NOW + 2 * DAY });
    assert.deepEqual(await types(`actor=${id}`), ['password.changed', 'user.enabled']);
    assert.deepEqual(await types(`actor=${id}&to=2026-01-11T00:00:00Z`), ['password.changed']);
    assert.deepEqual(await types(`actor=administrator:${id}`), ['user.enabled']);
    assert.deepEqual(await types(`${own}&outcome=failure`), ['login.failed']);
    assert.deepEqual(await types(`outcome=failure&subject=user:${other.id}`), []);
    assert.deepEqual(await types('actor=system&type=settings.changed&subject=settings'), [
      'settings.changed',
    ]);
    assert.deepEqual(await types(`${own}&from=2026-01-10T00:00:00Z`), all.slice(1));
    assert.deepEqual(await types(`${own}&to=2026-01-11T00:00:00Z`), ['password.changed', 'login.failed']);
    assert.deepEqual(await types(`${own}&from=2026-01-11T01:00:00%2B01:00&to=2026-01-12T00:00:00Z`), [
      'user.disabled',
    ]);
    assert.deepEqual(await types(`${own}&from=2026-01-12T00:00:00Z&to=2026-01-11T00:00:00Z`), []);
  });

  for (const [query, code, text] of [
    ['actor=root', 'invalid_filter', /^actor must be one of .*, an id, user:<id> or administrator:<id>/],
    ['actor=user:1', 'invalid_filter', /^actor must be/],
  ] as const) {
    test(`the list of events rejects ${query} with 400 and names the parameter`, async () => {
      const { status, body } = await list(query);
      assert.deepEqual([status, body.code], [400, code]);
      assert.match(body.error, text);
    });
  }

  test('the list of events rejects the cursor of another filter or order with 400', async () => {
    const { next_cursor } = (await list('order=time&limit=1')).body;
    for (const query of ['limit=1', 'order=time&type=user.created', 'order=time&outcome=failure'])
      assert.equal((await list(`${query}&cursor=${next_cursor}`)).body.code, 'invalid_cursor');
  });

  test('a batch of CloudEvents is returned to clients that prefer it, without personal data', async () => {
    const { id, email } = await insertTestUser(database());
    await record({ userId: id }, { userId: id });
    const accept = (types: string) => ({ ...admin, headers: { accept: types } });
    const query = `subject=user:${id}&order=time`;
    const { body: events } = await list(query);
    const batch = 'application/cloudevents-batch+json';
    const { headers, body, text } = await list(`${query}&limit=1`, accept(batch));
    assert.match(headers.get('content-type')!, /^application\/cloudevents-batch\+json/);
    const [{ sequence, ...event }] = body;
    assert.deepEqual(event, {
      specversion: '1.0',
      id: events.data[0].id,
      source: '/',
      type: 'password.changed',
      time: '2026-01-10T00:00:00.000Z',
      subject: `user:${id}`,
      subjectsequence: 1,
    });
    assert.match(sequence, /^\d{16}$/);
    assert.ok(!text.includes(email!));
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link')!)![1]!;
    const second = await service.api.get(next, accept(`${batch}, application/json;q=0.5`));
    assert.ok(second.body[0].sequence > sequence);
    assert.ok(Array.isArray((await list(query, accept('application/json, */*;q=0.1'))).body.data));
    const { status, body: problem } = await list(query, accept('application/cloudevents+json'));
    assert.deepEqual([status, problem.code], [406, 'not_acceptable']);
  });

  test('a cursor whose next event was deleted, or that is ahead of a restored database, is rejected with 410', async () => {
    const cursor = (await list('order=time&limit=1')).body.next_cursor as string;
    const last = (await list('order=time&limit=100&type=user.erased')).body.next_cursor as string;
    assert.equal((await list(`order=time&cursor=${cursor}`)).status, 200);
    await numberAllEvents(database());
    await database().transaction((tx) =>
      deleteOldEvents(tx, { before: NOW + 10 * DAY, now: NOW + 20 * DAY }, 2),
    );
    const { status, body } = await list(`order=time&cursor=${cursor}`);
    assert.deepEqual([status, body.code], [410, 'events_expired']);
    assert.equal((await list('order=time&limit=1')).status, 200, 'without a cursor it begins at the first');
    const expected = `order=time&type=user.erased&cursor=${last}`;
    assert.equal((await list(expected)).status, 200);
    await database().transaction((tx) => tx.run(RESTORE, 1));
    assert.equal((await list(expected)).status, 410);
  });
});

describeOnSqlite('a database that was restored from a backup', (engine) => {
  const service = useService(engine);

  test('cursors of a database that was restored and has other events since are rejected with 410', async () => {
    const { api, service: running } = service;
    const { database } = running;
    const { id } = await insertTestUser(database);
    const record = (count: number) =>
      database.transaction(async (tx) => {
        for (let index = 0; index < count; index++)
          await recordEvent(tx, { type: 'password.changed', userId: id, now: Date.now() });
      });
    await record(5);
    await numberAllEvents(database);
    const { body } = await api.get(`${PATH}?order=time&limit=3`, admin);
    const end = (await api.get(`${PATH}?order=time&cursor=${body.next_cursor}`, admin)).body.next_cursor;
    await database.transaction(async (tx) => {
      const [, , third] = await readEventsAfter(tx, 0, 3);
      await tx.run(sql('delete from events where number > 3'));
      await tx.run(sql('update event_chain set number = 3, digest = $1'), third!.digest);
    });
    await record(5);
    await numberAllEvents(database);
    for (const path of [`${PATH}?order=time&cursor=${end}`, `${PATH}/stream?cursor=${end}`])
      assert.equal((await api.get(path, admin)).status, 410);
    const before = await api.get(`${PATH}?order=time&cursor=${body.next_cursor}`, admin);
    assert.deepEqual([before.status, before.body.data.length], [200, 5], 'this event is in the backup');
  });
});

describeOnSqlite('events that somebody has edited in the database', (engine) => {
  const service = useService(engine);
  const member = (name: string, ...values: unknown[]) =>
    values.map((value) => JSON.stringify({ [name]: value }));
  const VALUES = [
    ...['Firefox', 'null', '"text"', '[]', '5'],
    ...member('request_id', 5, {}, []),
    ...member('actor_name', {}, 5),
    ...member('changes', 5, {}, [null], [5], [{}], [{ name: 5 }], [{ name: 'level', to: {} }]),
    ...member('details', 5, 'text', []),
    ...member('occurrences', 'many', 1.5, {}),
    ...member('first_at', 'then', 1e300, -9e15, {}),
    ...member('last_at', 9e15),
    ...member('value', 5, {}, []),
  ];

  test('events whose details, device, address and time somebody has edited to anything are numbered and listed without them', async () => {
    const { api, service: running } = service;
    const { id, token } = await insertLoggedInUser(running.database);
    const change = sql(
      'update events set device = $1, network = $1, data = $1, created_at = $2 where subject = $3',
    );
    const own = `subject=user:${id}`;
    for (const value of VALUES) {
      await running.database.transaction(async (tx) => {
        await recordEvent(tx, { type: 'user.disabled', actor: 'administrator', userId: id, now: NOW });
        await tx.run(change, value, 9e15, `user:${id}`);
      });
      const { status, body } = await api.get(`${PATH}?${own}`, admin);
      assert.equal(status, 200, `${value}: ${body.error}`);
      const { device, address, details, changes, occurrences, first_at, last_at, time } = body.data[0];
      assert.deepEqual([device, address, details, changes, occurrences], [null, null, null, [], 1], value);
      assert.deepEqual([first_at, last_at, time], [null, null, '1970-01-01T00:00:00.000Z'], value);
      for (const path of [`${PATH}/export?${own}`, `${PATH}?${own}&fold=true`, `${PATH}?order=time`])
        assert.equal((await api.get(path, admin)).status, 200, value);
      assert.equal((await api.get('/api/v1/me/events', { token })).status, 200, value);
    }
  });
});

describeOnSqlite('cursors of events of release 0.1', (engine) => {
  const service = useSharedService(engine);
  const format = (position: string) =>
    Buffer.concat([Buffer.alloc(12, 7), Buffer.from(position)]).toString('base64url');

  test('a cursor of the feed of release 0.1 is rejected with 410 and the way on, one of another list with 400', async () => {
    const { api } = service;
    const old = format('4711');
    for (const response of [
      await api.get(`${PATH}?order=time&cursor=${old}`, admin),
      await api.get(`${PATH}?order=time&type=user.created&cursor=${old}`, admin),
      await api.get(`${PATH}/stream?cursor=${old}`, admin),
      await api.get(`${PATH}/stream`, { ...admin, headers: { 'last-event-id': old } }),
    ]) {
      assert.deepEqual([response.status, response.body.code], [410, 'events_expired']);
      assert.match(response.body.error, /^An earlier release .*: read the current state of all users/);
    }
    for (const query of [`cursor=${old}`, `order=time&cursor=${format('[4711]')}`]) {
      const { status, body } = await api.get(`${PATH}?${query}`, admin);
      assert.deepEqual([status, body.code], [400, 'invalid_cursor']);
    }
  });
});

describeOnEachEngine('a rare filter of events', (engine) => {
  const service = useService(engine);
  const rare = { userId: '' };

  before(async () => {
    const { database } = service;
    const count = 2_500;
    await insertTestEvents(database, (await insertTestUser(database)).id, count / 2);
    rare.userId = (await insertTestUser(database)).id;
    await insertTestEvents(database, rare.userId, 1, 'user.disabled');
    await database.transaction((tx) =>
      recordEvent(tx, { type: 'token.rotated', userId: null, actor: 'administrator', now: NOW }),
    );
    await numberAllEvents(database);
    await insertTestEvents(database, (await insertTestUser(database)).id, count / 2);
    await numberAllEvents(database);
  });

  for (const filter of ['to=1970-01-02T00:00:00Z', 'outcome=success', 'actor=user']) {
    for (const order of ['time', '-time']) {
      test(`a request for ${filter} in the order ${order} examines 1,000 events, and its cursors find all`, async () => {
        const query = `${filter}&type=user.disabled&order=${order}&limit=5`;
        let cursor = '';
        let found = 0;
        for (let requests = 0; ; requests++) {
          assert.ok(requests < 10);
          const { status, body } = await service.api.get(`${PATH}?${query}${cursor}`, admin);
          assert.equal(status, 200);
          found += body.data.length;
          if (body.next_cursor === null || `&cursor=${body.next_cursor}` === cursor) break;
          cursor = `&cursor=${body.next_cursor}`;
        }
        assert.equal(found, 1);
      });
    }
  }

  test('a page of a filter without an index of its own is empty with a cursor when 1,000 events do not meet it', async () => {
    for (const filter of ['subject', 'actor']) {
      for (const order of ['time', '-time']) {
        const query = `${filter}=user:${rare.userId}&order=${order}&limit=5`;
        const { body } = await service.api.get(`${PATH}?${query}`, admin);
        assert.equal(body.data.length, 1, `the ${filter} has an index`);
      }
    }
    const sizes: number[] = [];
    let cursor = '';
    for (let page = 0; page < 3; page++) {
      const query = `type=token.rotated&actor=administrator&order=time&limit=5${cursor}`;
      const response = await service.api.get(`${PATH}?${query}`, admin);
      sizes.push(response.body.data.length);
      cursor = `&cursor=${response.body.next_cursor}`;
    }
    assert.deepEqual(sizes, [0, 1, 0]);
  });
});

describeOnSqlite('GET /api/v1/me/events', (engine) => {
  const service = useSharedService(engine);
  const { database } = service;

  test('GET /api/v1/me/events returns the events of the user in pages, without names of administrators and reasons of failed logins', async () => {
    const user = await insertLoggedInUser(database);
    const other = await insertLoggedInUser(database);
    await database.transaction(async (tx) => {
      const now = Date.now();
      await recordEvent(tx, { type: 'password.changed', actor: 'user', userId: other.id, now });
      const login = { type: 'login.failed', outcome: 'failure', reason: 'wrong_password' } as const;
      await recordEvent(tx, { ...login, actor: 'anonymous', userId: user.id, now });
      await recordEvent(tx, { type: 'user.disabled', actor: 'administrator', userId: user.id, now });
    });
    const path = '/api/v1/me/events?limit=1';
    const first = await service.api.get(path, { token: user.token });
    assert.equal(first.status, 200);
    assert.equal(first.body.data[0].type, 'user.disabled');
    assert.deepEqual(first.body.data[0].actor, { type: 'administrator', id: null, name: null });
    const cursor = `&cursor=${first.body.next_cursor}`;
    const second = await service.api.get(path + cursor, { token: user.token });
    const [{ type, reason }] = second.body.data;
    assert.deepEqual([type, reason, second.body.next_cursor], ['login.failed', null, null]);
    const foreign = await service.api.get(path + cursor, { token: other.token });
    assert.deepEqual([foreign.status, foreign.body.code], [400, 'invalid_cursor']);
  });

  test('users see neither id, name, address nor device of an administrator, in their events and in their export', async () => {
    const { id, token } = await insertLoggedInUser(database);
    const disabled = { type: 'user.enabled', userId: id, now: Date.now() } as const;
    await runInContext(
      {
        actor: { type: 'administrator', id: 'Grace-1', name: 'Grace' },
        requestId: null,
        clientIp: '203.0.113.7',
        address: '203.0.113.0/24',
        userAgent: 'curl/8.9.1',
      },
      () => database.transaction((tx) => recordEvent(tx, disabled)),
    );
    const read = async (path: string, credential: string) => {
      const { body } = await service.api.get(path, { token: credential });
      const [event] = body.data ?? body.events;
      return [event.type, event.address, event.device, JSON.stringify(event).includes('Grace')];
    };
    const hidden = ['user.enabled', null, null, false];
    assert.deepEqual(await read('/api/v1/me/events', token), hidden);
    assert.deepEqual(await read('/api/v1/me/export', token), hidden);
    const shown = ['user.enabled', '203.0.113.0/24', 'curl/8.9.1', true];
    assert.deepEqual(await read(`/api/v1/events?subject=user:${id}`, ADMIN_TOKEN), shown);
  });
});
