import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { numberAllEvents } from '../../../../test/support/events.ts';
import { manualClock } from '../../../../test/support/limits.ts';
import { pluck } from '../../../../test/support/pluck.ts';
import { type Receiver, respondWith, startReceiver } from '../../../../test/support/receiver.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../../test/support/service.ts';
import { until } from '../../../../test/support/until.ts';
import { sql } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { HOUR } from '../../../lib/time.ts';
import { recordEvent } from '../../events/record-event.ts';
import { MAX_PENDING } from '../webhook.ts';

const NO_CONTENT = respondWith('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
const EXPLANATION = `{"error":"ﬁrst"}\n\u202e${'x'.repeat(1_500)}`;
const UNAVAILABLE = respondWith(
  `HTTP/1.1 503 No\r\nConnection: close\r\nRetry-After: 3\r\nSet-Cookie: a=b\r\nContent-Length: ${Buffer.byteLength(EXPLANATION)}\r\n\r\n${EXPLANATION}`,
);
const GONE = respondWith('HTTP/1.1 410 Gone\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
const PATH = '/api/v1/webhooks';
const token = ADMIN_TOKEN;
const DELETED = sql<{ rows: number }>(`
  select (select count(*) from webhook_deliveries where endpoint_id = $1)
       + (select count(*) from jobs where endpoint_id = $1) as rows`);
const INSERT_PENDING = sql(`
  with recursive n (i) as (select cast(1 as bigint) union all select i + 1 from n where i < $2)
  insert into webhook_deliveries (id, endpoint_id, event_id, type, occurred_at, state, attempts, created_at)
  select $1 || '-' || cast(i as text), $1, $1, 'link.sent', 1, 'pending', 0, 1 from n`);
const DELETE_SOME = sql(
  "delete from webhook_deliveries where endpoint_id = $1 and id in ($1 || '-1', $1 || '-2')",
);
const GIVE_UP = sql(`
  update webhook_deliveries set state = 'failed', finished_at = cast($2 as bigint) where id = $1`);
const DROP_JOB = sql('delete from jobs where id = $1');
const EVENTS = sql<{ type: string; actor: string; data: string }>(
  'select type, actor, data from events where subject = $1 order by id',
);

describeOnEachEngine('deliveries of webhooks', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, {
    clock,
    environment: { WEBHOOK_ALLOW: '127.0.0.1' },
  });
  const { database } = service;
  let receiver: Receiver;
  let isDown = false;
  let isBack = false;
  before(async () => {
    receiver = await startReceiver((socket, request) => {
      if (request.start.includes('/gone ') && !isBack) GONE(socket, request);
      else (isDown ? UNAVAILABLE : NO_CONTENT)(socket, request);
    });
  });
  after(() => receiver.close());

  const post = (path: string, body: unknown = {}) => service.api.post(path, body, { token });
  const get = (path: string) => service.api.get(path, { token });
  const create = async (name: string, settings: object = {}) => {
    const response = await post(PATH, { url: `${receiver.url}/${name}`, types: ['link.sent'], ...settings });
    assert.equal(response.status, 201);
    const { id, secret } = response.body.data;
    const path = `${PATH}/${id}`;
    const received = () => receiver.requests.filter(({ start }) => start.includes(`/${name} `));
    const list = async (query = '') => (await get(`${path}/deliveries${query}`)).body.data;
    const patch = (changes: object) =>
      service.api.patch(path, changes, { token, headers: { 'if-match': '*' } });
    return { id, secret, path, received, list, patch };
  };
  const record = (subject = `user:${newId()}`) =>
    service.database.transaction((tx) => recordEvent(tx, { type: 'link.sent', subject, now: clock.now }));

  test('a test is delivered like an event, with its own type', async () => {
    const { id, secret, path, received, list } = await create('test', { types: ['user.erased'] });
    const { status, body } = await post(`${path}/test`);
    assert.equal(status, 202);
    await until(async () => (await list('?state=delivered')).length === 1, 'the test is delivered');
    const [delivery] = await list();
    assert.equal(delivery.id, body.data.delivery_id);
    assert.deepEqual([delivery.type, delivery.attempts[0].status], ['webhook.test', 204]);
    const [request] = received();
    const payload = new Webhook(secret).verify(request!.body, request!.headers as Record<string, string>);
    const data = { id: delivery.event_id, subject: `webhook:${id}`, sequence: null };
    assert.deepEqual(payload, { type: 'webhook.test', timestamp: delivery.occurred_at, data });
  });

  test('deliveries are listed in pages, newest first, by state and with their attempts', async () => {
    const { path, list } = await create('list');
    for (let count = 0; count < 3; count++) await record();
    await until(async () => (await list('?state=delivered')).length === 3, 'all are delivered');
    const all = await list();
    const { body, headers } = await get(`${path}/deliveries?limit=2&state=delivered`);
    assert.match(headers.get('link') ?? '', /state=delivered&limit=2&cursor=.*rel="next"/);
    assert.deepEqual(body.data, all.slice(0, 2));
    const next = await get(`${path}/deliveries?limit=2&state=delivered&cursor=${body.next_cursor}`);
    assert.deepEqual([next.body.data, next.body.next_cursor], [all.slice(2), null]);
    assert.deepEqual(await list('?state=failed'), []);
    for (const [query, code] of [
      ['state=lost', 'invalid_filter'],
      ['limit=x', 'invalid_limit'],
      [`cursor=${body.next_cursor}`, 'invalid_cursor'],
    ]) {
      const rejected = await get(`${path}/deliveries?${query}`);
      assert.deepEqual([rejected.status, rejected.body.code], [400, code]);
    }
  });

  test('a delivery has its body and headers exactly as sent, and the start of the response without cookies', async () => {
    const { path, received, list, secret, patch } = await create('read');
    isDown = true;
    await record();
    await until(async () => (await list())[0]?.attempts.length === 1, 'the attempt has failed');
    isDown = false;
    // What was sent stays as it is.
    await patch({ url: `${receiver.url}/moved` });
    const [{ id, attempts }] = await list();
    const { status, body, text } = await get(`${path}/deliveries/${id}`);
    assert.equal(status, 200, text);
    const [sent] = received();
    assert.equal(body.data.body, sent!.body);
    const [{ attempt, request, response }] = body.data.exchanges;
    assert.deepEqual([body.data.attempts, attempt], [attempts, 1]);
    assert.equal(request.url, `${receiver.url}/read`);
    const { host, connection, ...headers } = sent!.headers;
    assert.deepEqual(request.headers, headers);
    assert.ok(new Webhook(secret).verify(body.data.body, request.headers));
    assert.deepEqual(response, {
      headers: { 'content-length': String(Buffer.byteLength(EXPLANATION)), 'retry-after': '3' },
      body: Buffer.from(EXPLANATION).subarray(0, 1_024).toString().replace('\u202e', '\ufffd'),
      is_cut: true,
    });
    assert.ok(!text.includes(secret));
  });

  test('a replay since the webhook fails attempts failed and waiting deliveries again, and twice does no more', async () => {
    const { id, path, received, list } = await create('missed');
    await record();
    await until(async () => (await list('?state=delivered')).length === 1, 'one is delivered before');
    isDown = true;
    for (let count = 0; count < 3; count++) await record();
    const waiting = async (): Promise<{ attempts: unknown[] }[]> =>
      (await list('?state=pending')).filter(({ attempts }: { attempts: unknown[] }) => attempts.length === 1);
    await until(async () => (await waiting()).length === 3, 'three have failed');
    const [failed] = await list();
    await database.transaction((tx) =>
      Promise.all([tx.run(GIVE_UP, failed.id, clock.now), tx.run(DROP_JOB, failed.id)]),
    );
    const health = async () => (await get(path)).body.data;
    const { undelivered, pending, recent, last_error } = await health();
    assert.deepEqual([undelivered, pending, last_error], [3, 2, '503']);
    assert.deepEqual(recent, { delivered: 1, failed: 1, pending: 2 });
    isDown = false;
    const replay = () => post(`${path}/replay`, { since_failing: true });
    const [first, second] = await Promise.all([replay(), replay()]);
    assert.deepEqual([first.status, second.status], [202, 202], first.text);
    await until(async () => (await list('?state=delivered')).length === 4, 'all are delivered');
    assert.equal(new Set(received().map(({ headers }) => headers['webhook-id'])).size, 4);
    assert.equal((await list()).length, 4);
    const after = await health();
    assert.deepEqual([after.undelivered, after.pending, after.last_error], [0, 0, null]);
    assert.equal((await replay()).body.data.events, 0);
    assert.equal((await database.all(EVENTS, `webhook:${id}`)).at(-1)!.type, 'webhook.replayed');
  });

  test('events since a time, of a span and single ones are replayed', async () => {
    const { path, received, list } = await create('replay');
    const subject = `user:${newId()}`;
    for (let count = 0; count < 3; count++) {
      clock.now += HOUR;
      await record(subject);
    }
    await until(async () => (await list('?state=delivered')).length === 3, 'all are delivered');
    const events = (await list()).toReversed();
    const sequences = () => received().map(({ body }) => JSON.parse(body).data.sequence);
    const replay = async (body: object, expected: readonly number[]) => {
      const before = sequences().length;
      const response = await post(`${path}/replay`, body);
      assert.equal(response.status, 202, response.text);
      assert.equal(response.body.data.events, expected.length);
      await until(() => sequences().length === before + expected.length, `replayed ${JSON.stringify(body)}`);
      assert.deepEqual(sequences().slice(before).toSorted(), expected);
    };
    const [, second, third] = events.map(({ occurred_at }: { occurred_at: string }) => occurred_at);
    await replay({ since: second }, [2, 3]);
    await replay({ from: second, to: third }, [2]);
    await replay({ event_ids: [events[2].event_id, events[0].event_id] }, [1, 3]);
    const ids = received().map(({ headers }) => headers['webhook-id']);
    assert.equal(new Set(ids).size, 3);
  });

  test('tests, retries and replays of a webhook with 10,000 pending deliveries are rejected with 409', async () => {
    const { id, path, list, received } = await create('full');
    clock.now += HOUR;
    await record();
    await record();
    await until(async () => (await list('?state=delivered')).length === 2, 'both are delivered');
    const deliveries = await list();
    await database.transaction((tx) => tx.run(INSERT_PENDING, id, MAX_PENDING));
    const retry = `deliveries/${deliveries[0].id}/retry`;
    const single = { event_ids: [deliveries[0].event_id] };
    const span = { since: deliveries[1].occurred_at };
    const requests = [
      ['test', {}],
      [retry, {}],
      ['replay', single],
      ['replay', span],
    ] as const;
    for (const [action, body] of requests) {
      const rejected = await post(`${path}/${action}`, body);
      assert.deepEqual([rejected.status, rejected.body.code], [409, 'too_many_deliveries'], action);
    }
    await database.transaction((tx) => tx.run(DELETE_SOME, id));
    const { status, body } = await post(`${path}/replay`, span);
    assert.deepEqual([status, body.data.events], [202, 2]);
    assert.equal((await post(`${path}/replay`, single)).status, 409);
    await until(() => received().length === 4, 'both are delivered again');
  });

  test('the deletion of a webhook deletes its deliveries and jobs', async () => {
    const { id, path, list } = await create('deleted');
    isDown = true;
    for (let count = 0; count < 5; count++) await record();
    await until(async () => (await list()).length === 5, 'the deliveries are made');
    isDown = false;
    assert.equal((await service.api.delete(path, { token })).status, 204);
    await until(async () => (await database.get(DELETED, id))!.rows === 0, 'all rows are deleted');
  });

  if (engine === 'postgres') return;

  test('a retry attempts a failed delivery now, and a delivered one again', async () => {
    const { path, received, list } = await create('retry');
    isDown = true;
    await record();
    await until(async () => (await list())[0]?.attempts.length === 1, 'the first attempt has failed');
    isDown = false;
    const [failed] = await list();
    assert.equal(failed.state, 'pending');
    assert.ok(failed.next_attempt_at > failed.attempts[0].at);
    const { status, body } = await post(`${path}/deliveries/${failed.id}/retry`);
    assert.deepEqual([status, body.data.id], [202, failed.id]);
    await until(async () => (await list())[0].state === 'delivered', 'it is delivered');
    await post(`${path}/deliveries/${failed.id}/retry`);
    await until(async () => (await list('?state=delivered'))[0]?.attempts.length === 3, 'again');
    assert.equal(new Set(received().map(({ headers }) => headers['webhook-id'])).size, 1);
  });

  test('a replay since the webhook fails enables one that failures have disabled, with the events that it has missed', async () => {
    const { path, received, list, patch } = await create('gone', { types: ['link.sent'] });
    await record();
    await until(async () => (await list('?state=failed')).length === 1, 'the receiver is gone');
    await record();
    await numberAllEvents(service.database);
    assert.equal((await get(path)).body.data.disabled_reason, 'gone');
    isBack = true;
    const { status, body } = await post(`${path}/replay`, { since_failing: true });
    assert.deepEqual([status, body.data.events], [202, 1]);
    await until(async () => (await list('?state=delivered')).length === 2, 'both are delivered');
    assert.equal(new Set(received().map(({ headers }) => headers['webhook-id'])).size, 2);
    isBack = false;
    assert.equal((await patch({ enabled: false })).status, 200);
    const rejected = await post(`${path}/replay`, { since_failing: true });
    assert.deepEqual([rejected.status, rejected.body.code], [409, 'webhook_disabled']);
  });

  test('a webhook that is disabled by a delivery is recorded as disabled by the system, whoever exports events meanwhile', async () => {
    const { id } = await create('gone', { types: ['user.updated'] });
    await database.transaction((tx) =>
      recordEvent(tx, { type: 'user.updated', subject: `user:${newId()}`, now: clock.now }),
    );
    const disabled = async () => {
      await get('/api/v1/events/export');
      return (await database.all(EVENTS, `webhook:${id}`)).filter(({ type }) => type === 'webhook.disabled');
    };
    await until(async () => (await disabled()).length > 0, 'the webhook is disabled');
    assert.equal((await disabled())[0]!.actor, 'system');
  });

  test('a webhook that is enabled again receives the events after that, and the others by a replay', async () => {
    const { path, received, patch } = await create('enabled', { enabled: false });
    const subject = `user:${newId()}`;
    const since = new Date(clock.now).toISOString();
    await record(subject);
    for (const action of ['test', 'replay']) {
      const { status, body } = await post(`${path}/${action}`, action === 'test' ? {} : { since });
      assert.deepEqual([status, body.code], [409, 'webhook_disabled']);
    }
    await numberAllEvents(service.database);
    assert.equal((await patch({ enabled: true })).status, 200);
    await record(subject);
    await until(() => received().length > 0, 'an event is delivered');
    assert.deepEqual(
      received().map(({ body }) => JSON.parse(body).data.sequence),
      [2],
    );
  });

  test('changes of a webhook are events with the names of what has changed, and the values of `enabled`', async () => {
    const { id, path, patch } = await create('events');
    await patch({ description: 'New', enabled: false });
    await service.api.request('POST', `${path}/rotate-secret`, { token });
    await service.api.delete(path, { token });
    const events = await service.database.all(EVENTS, `webhook:${id}`);
    assert.deepEqual(pluck(events, 'type'), [
      'webhook.created',
      'webhook.updated',
      'webhook.secret_rotated',
      'webhook.deleted',
    ]);
    const changes = [{ name: 'description' }, { name: 'enabled', from: true, to: false }];
    assert.deepEqual(JSON.parse(events[1]!.data).changes, changes);
  });

  test('a replay without a selection of events is rejected with 400, which names the member', async () => {
    const { path } = await create('rejected');
    const time = '2026-01-01T00:00:00Z';
    for (const [body, name] of [
      [{}, 'since'],
      [{ since: time, to: time }, 'to'],
      [{ from: time }, 'to'],
      [{ from: time, to: time }, 'to'],
      [{ event_ids: [newId()] }, 'event_ids'],
      [{ event_ids: [newId()], since: time }, 'since'],
      [{ since_failing: true, since: time }, 'since'],
      [{ since_failing: false }, 'since_failing'],
    ] as const) {
      const response = await post(`${path}/replay`, body);
      assert.equal(response.status, 400);
      assert.deepEqual(Object.keys(response.body.errors), [name]);
    }
  });

  test('operations on deliveries that do not exist are rejected with 404', async () => {
    const { path } = await create('missing');
    for (const id of [newId(), 'unknown']) {
      const { status, body } = await post(`${path}/deliveries/${id}/retry`);
      assert.deepEqual([status, body.code], [404, 'webhook_delivery_not_found']);
      assert.equal((await get(`${path}/deliveries/${id}`)).body.code, 'webhook_delivery_not_found');
    }
  });
});
