import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { useDatabase } from '../../../../test/support/database.ts';
import { numberAllEvents } from '../../../../test/support/events.ts';
import { pluck } from '../../../../test/support/pluck.ts';
import { type Respond, respondWith, startReceiver } from '../../../../test/support/receiver.ts';
import { describeStorage } from '../../../../test/support/runner/engines.ts';
import { until } from '../../../../test/support/until.ts';
import { listReceived, OPERATOR, useWebhooks } from '../../../../test/support/webhooks.ts';
import { sql } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { DAY, HOUR, MINUTE } from '../../../lib/time.ts';
import { createSecretSeal, rotateSecret } from '../change-webhook.ts';
import { sendHead } from '../deliveries/enqueue-deliveries.ts';
import { readAttempts, readDeliveries } from '../deliveries/queries.ts';
import { clearPreviousSecrets, expireDeliveries } from '../housekeeping/queries.ts';
import { findDueEndpoints, findEndpoint } from '../queries.ts';
import { MAX_PENDING } from '../webhook.ts';
import { findDueOfEndpoint } from './queries.ts';
import { leaseDelivery } from './webhook-jobs.ts';

const NO_CONTENT = respondWith('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
const respond = (status: string, headers = '', body = '') =>
  respondWith(
    `HTTP/1.1 ${status}\r\n${headers}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
const UNAVAILABLE = respond('503 Service Unavailable', '', 'first line\nsecond line');
const JOBS = sql<{ next_attempt_at: number; attempts: number }>(
  "select next_attempt_at, attempts from jobs where queue = 'webhook' order by id",
);
const MAIL = sql<{ email: string; kind: string; data: string }>(
  "select email, kind, data from jobs where queue = 'mail'",
);
const DISABLED = sql<{ subject: string; actor: string; reason: string }>(
  "select subject, actor, reason from events where type = 'webhook.disabled' order by id desc limit 1",
);
const SECRETS = sql<{ previous_secret: Uint8Array | null }>(
  'select previous_secret from webhook_endpoints where id = $1',
);

const INSERT_PENDING = sql(`
  with recursive n (i) as (select cast(1 as bigint) union all select i + 1 from n where i < $2)
  insert into webhook_deliveries (id, endpoint_id, event_id, type, occurred_at, state, attempts, created_at)
  select $1 || '-' || cast(i as text), $1, $1, 'user.updated', 1, 'pending', 0, 1 from n`);
const DELETE_ONE = sql("delete from webhook_deliveries where id = $1 || '-1'");
/** Time until the deliveries of a full endpoint are counted again. */
const PAUSE_MS = 5_000;

describeStorage('the delivery of events', (engine) => {
  const { database } = useDatabase(engine);

  async function start(
    context: Parameters<typeof useWebhooks>[0],
    responder: Respond = NO_CONTENT,
    deadlineMs = 15_000,
  ) {
    const receiver = await startReceiver(responder);
    context.after(() => receiver.close());
    const webhooks = await useWebhooks(context, database, { deadlineMs });
    const endpoint = await webhooks.create(receiver.url);
    const newSubject = () => `user:${newId()}`;
    const list = () =>
      readDeliveries(database, { endpointId: endpoint.id, state: null, before: '~', limit: 100 });
    const attempts = async () =>
      readAttempts(
        database,
        (await list()).map(({ id }) => id),
      );
    return { ...webhooks, receiver, endpoint, newSubject, list, attempts };
  }

  test('an event is delivered with the payload and a signature that the package standardwebhooks verifies', async (context) => {
    const { receiver, endpoint, deliver, record, newSubject, list, attempts, time } = await start(context);
    // The package accepts the current time only.
    time.now = Date.now();
    const subject = newSubject();
    await record(subject);
    await deliver();
    const [{ body, headers, start: line }] = receiver.requests as [(typeof receiver.requests)[number]];
    assert.equal(line, 'POST / HTTP/1.1');
    const [delivery] = await list();
    assert.deepEqual(new Webhook(endpoint.secret).verify(body, headers as Record<string, string>), {
      type: 'user.updated',
      timestamp: new Date(time.now).toISOString(),
      data: { id: delivery!.event_id, subject, sequence: 1 },
    });
    assert.equal(headers['webhook-id'], delivery!.event_id);
    assert.ok(Buffer.byteLength(body) < 20_000);
    assert.deepEqual([delivery!.state, delivery!.attempts], ['delivered', 1]);
    const [{ status, error, line: first }] = (await attempts()) as [
      Awaited<ReturnType<typeof attempts>>[number],
    ];
    assert.deepEqual([status, error, first], [204, null, null]);
    assert.deepEqual(await database.all(JOBS), []);
  });

  test('an endpoint receives the events of its types that happen after its creation, each once', async (context) => {
    const { receiver, create, deliver, record, newSubject, fanOut } = await start(context);
    const [subject, other] = [newSubject(), newSubject()];
    await record(subject);
    const created = await create(`${receiver.url}/typed`, { types: ['user.erased'] });
    await record(other, 'user.erased');
    await record(other);
    await deliver();
    assert.equal(await fanOut(), 0);
    const typed = receiver.requests.filter(({ start: line }) => line.includes('/typed'));
    assert.deepEqual(listReceived(typed), [`${other} 1`]);
    const untyped = listReceived(receiver.requests.filter((request) => !typed.includes(request)));
    const expected = [`${subject} 1`, `webhook:${created.id} 1`, `${other} 1`, `${other} 2`];
    assert.deepEqual(untyped.sort(), expected.sort());
  });

  test('a delivery that fails is repeated with the same id after the delays of the schedule, then it has failed', async (context) => {
    const { receiver, deliver, record, newSubject, list, attempts, time } = await start(context, UNAVAILABLE);
    await record(newSubject());
    await deliver();
    const hours = [2, 5, 10, 14, 20, 24].map((count) => count * HOUR);
    for (const delay of [5_000, 5 * MINUTE, 30 * MINUTE, ...hours]) {
      const [job] = await database.all(JOBS);
      assert.equal(job!.next_attempt_at - time.now, delay);
      time.now = job!.next_attempt_at;
      await deliver();
    }
    assert.deepEqual(await database.all(JOBS), []);
    assert.equal(receiver.requests.length, 10);
    assert.equal(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size, 1);
    const [delivery] = await list();
    assert.deepEqual([delivery!.state, delivery!.attempts], ['failed', 10]);
    const stored = await attempts();
    assert.deepEqual(pluck(stored, 'attempt'), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.deepEqual([stored[0]!.status, stored[0]!.error, stored[0]!.line], [503, null, 'first line']);
  });

  test('a delivery of a node that was killed is repeated within 30 seconds', async (context) => {
    const { receiver, record, newSubject, fanOut, deliver, time } = await start(context);
    await record(newSubject());
    await numberAllEvents(database);
    await fanOut();
    const endpoints = await findDueEndpoints(database, time.now);
    const search = { endpointId: endpoints[0]!.id, now: time.now, limit: 1 };
    const [job] = await findDueOfEndpoint(database, search);
    assert.notEqual(await leaseDelivery({ database, clock: () => time.now }, job!), null);
    await deliver();
    assert.equal(receiver.requests.length, 0);
    time.now += 29_000;
    await deliver();
    assert.equal(receiver.requests.length, 1);
  });

  test('several nodes deliver each event once', async (context) => {
    const { receiver, startNode, record, newSubject, time } = await start(context);
    const subjects = Array.from({ length: 5 }, newSubject);
    const nodes = [startNode(), startNode(), startNode()];
    for (let count = 0; count < 20; count++) for (const subject of subjects) await record(subject);
    await numberAllEvents(database);
    await Promise.all(nodes.map(({ fanOut }) => fanOut()));
    await until(async () => {
      await Promise.all(nodes.map(({ worker }) => worker.runDue()));
      time.now += MINUTE;
      return (await database.all(JOBS)).length === 0;
    }, 'all are delivered');
    const received = listReceived(receiver.requests);
    for (const subject of subjects) {
      const ofSubject = received.filter((text) => text.startsWith(subject));
      const expected = Array.from({ length: 20 }, (_, index) => `${subject} ${index + 1}`);
      assert.deepEqual(ofSubject.toSorted(), expected.toSorted());
    }
  });

  test('an endpoint is disabled after five days without a success, and its pending deliveries fail when they expire', async (context) => {
    let isDown = true;
    const { endpoint, deliver, record, newSubject, list, time } = await start(context, (socket, request) =>
      (isDown ? UNAVAILABLE : NO_CONTENT)(socket, request),
    );
    const fail = async () => {
      await record(newSubject());
      await deliver();
    };
    const read = async () => (await findEndpoint(database, endpoint.id))!;
    const begin = time.now;
    await fail();
    assert.equal((await read()).failing_since, begin);
    time.now += 5 * DAY - 1;
    isDown = false;
    await fail();
    assert.equal((await read()).failing_since, null);
    isDown = true;
    await fail();
    time.now += 5 * DAY;
    await fail();
    assert.deepEqual([(await read()).enabled, (await read()).failing_since], [1, time.now], 'a new series');
    for (const pause of [DAY, DAY, DAY, DAY, DAY - 1]) {
      time.now += pause;
      await fail();
    }
    assert.equal((await read()).enabled, 1);
    time.now += 1;
    await fail();
    assert.deepEqual([(await read()).enabled, (await read()).disabled_reason], [0, 'failing']);
    const pending = (await list()).filter(({ state }) => state === 'pending');
    assert.ok(pending.length > 0);
    time.now += 7 * DAY;
    const expire = () => database.transaction((tx) => expireDeliveries(tx, time.now, 500));
    assert.equal(await expire(), pending.length);
    assert.deepEqual(
      (await list()).filter(({ state }) => state === 'pending'),
      [],
    );
    assert.deepEqual(await database.all(JOBS), []);
  });

  test('an endpoint with 10,000 pending deliveries gets no more until there is room, and then all of them', async (context) => {
    const { receiver, create, record, newSubject, fanOut, deliver, time } = await start(context);
    const types = ['user.updated'] as const;
    const full = await create(`${receiver.url}/full`, { types });
    await create(`${receiver.url}/other`, { types });
    const receivedAt = (path: string) =>
      listReceived(receiver.requests.filter(({ start: line }) => line.includes(path)));
    await database.transaction((tx) => tx.run(INSERT_PENDING, full.id, MAX_PENDING));
    const subject = newSubject();
    for (let count = 0; count < 3; count++) await record(subject);
    await deliver();
    assert.deepEqual(receivedAt('/full'), []);
    assert.equal(receivedAt('/other').length, 3);
    time.now += PAUSE_MS;
    assert.equal(await fanOut(), 0);
    await database.transaction((tx) => tx.run(DELETE_ONE, full.id));
    assert.equal(await fanOut(), 0, 'counted again after a pause');
    time.now += PAUSE_MS;
    await deliver();
    const each = [1, 2, 3].map((sequence) => `${subject} ${sequence}`);
    assert.deepEqual(receivedAt('/full').toSorted(), each);
  });

  test('the head of the record is sent to enabled webhooks that name events.head, and to no others', async (context) => {
    const { receiver, create, deliver, time } = await start(context);
    await create(`${receiver.url}/named`, { types: ['user.erased', 'events.head'] });
    await create(`${receiver.url}/disabled`, { types: ['events.head'], enabled: false });
    await create(`${receiver.url}/other`, { types: ['user.erased'] });
    await sendHead(database, { number: 7, digest: 'a-digest' }, time.now);
    await deliver();
    const heads = receiver.requests.filter(({ body }) => JSON.parse(body).type === 'events.head');
    assert.equal(heads.length, 1);
    assert.match(heads[0]!.start, /\/named /);
    const { timestamp, data } = JSON.parse(heads[0]!.body);
    assert.equal(timestamp, new Date(time.now).toISOString());
    assert.deepEqual([data.number, data.digest, data.subject], [7, 'a-digest', null]);
  });

  if (engine === 'postgres') return;

  test('redirects, huge heads and bodies and hanging receivers are failures with their reason', async (context) => {
    const hanging: Respond = () => {};
    const cases: readonly (readonly [Respond, string | null, number | null])[] = [
      [respond('307 Temporary Redirect', 'Location: https://example.com/\r\n'), 'redirect', 307],
      [respond('200 OK', `X: ${'x'.repeat(20_000)}\r\n`), 'too_large', null],
      [respond('400 Bad Request', '', 'x'.repeat(1_000_000)), null, 400],
      [hanging, 'timeout', null],
    ];
    for (const [responder, error, status] of cases) {
      const { deliver, record, newSubject, list, attempts } = await start(
        context,
        responder,
        responder === hanging ? 1_000 : undefined,
      );
      await record(newSubject());
      await deliver();
      const [delivery] = await list();
      assert.equal(delivery!.state, 'pending');
      const [attempt] = await attempts();
      assert.deepEqual([attempt!.error, attempt!.status], [error, status]);
      assert.ok((attempt!.line ?? '').length <= 200);
    }
  });

  test('Retry-After delays the next attempt, at most by a day', async (context) => {
    const date = new Date(Date.UTC(2026, 10, 22, 12) + HOUR).toUTCString();
    for (const [value, delay] of [
      ['120', 120_000],
      ['1', 5_000],
      ['99999999', DAY],
      ['9999999999', DAY],
      [date, HOUR],
      ['soon', 5_000],
    ] as const) {
      const { deliver, record, newSubject, time } = await start(
        context,
        respond('429 Too Many Requests', `Retry-After: ${value}\r\n`),
      );
      await record(newSubject());
      await deliver();
      assert.equal((await database.all(JOBS))[0]!.next_attempt_at - time.now, delay, value);
    }
  });

  test('a delivery that fails delays no other one, not even of the same subject', async (context) => {
    const subject = `user:${newId()}`;
    const { receiver, deliver, record, time } = await start(context, (socket, request) =>
      (request.body.includes('"sequence":1}') && receiver.requests.length <= 4 ? UNAVAILABLE : NO_CONTENT)(
        socket,
        request,
      ),
    );
    for (let count = 0; count < 4; count++) await record(subject);
    await deliver();
    const received = () => listReceived(receiver.requests).toSorted();
    const each = [1, 2, 3, 4].map((sequence) => `${subject} ${sequence}`);
    assert.deepEqual(received(), each);
    time.now += 5_000;
    await deliver();
    assert.deepEqual(received(), [each[0], ...each]);
  });

  test('an endpoint has four deliveries at once, and one that hangs delays no other endpoint', async (context) => {
    const sockets: (() => void)[] = [];
    let [open, most] = [0, 0];
    const { deliver, record, newSubject, create } = await start(context, (socket, request) => {
      most = Math.max(most, ++open);
      sockets.push(() => {
        open--;
        NO_CONTENT(socket, request);
      });
      // The healthy endpoint has received all of its deliveries while this one has four that hang.
      if (healthy.requests.length === 20) for (const release of sockets.splice(0)) release();
    });
    const healthy = await startReceiver((socket, request) => {
      NO_CONTENT(socket, request);
      if (healthy.requests.length === 20) for (const release of sockets.splice(0)) release();
    });
    context.after(() => healthy.close());
    await create(healthy.url, { types: ['user.updated'] });
    for (let count = 0; count < 20; count++) await record(newSubject());
    await deliver();
    assert.equal(healthy.requests.length, 20);
    assert.equal(most, 4);
  });

  test('an endpoint that has failed for a minute has one delivery at once', async (context) => {
    let [open, most] = [0, 0];
    const { deliver, record, newSubject, time } = await start(context, (socket, request) => {
      most = Math.max(most, ++open);
      setImmediate(() => {
        open--;
        UNAVAILABLE(socket, request);
      });
    });
    await record(newSubject());
    await deliver();
    time.now += MINUTE;
    most = 0;
    for (let count = 0; count < 8; count++) await record(newSubject());
    await deliver();
    assert.equal(most, 1);
  });

  test('a node has 64 deliveries at once', async (context) => {
    const release: (() => void)[] = [];
    let isHanging = true;
    const { receiver, create, deliver, record, newSubject, time } = await start(
      context,
      (socket, request) => {
        if (isHanging) release.push(() => NO_CONTENT(socket, request));
        else NO_CONTENT(socket, request);
      },
    );
    for (let count = 0; count < 16; count++)
      await create(`${receiver.url}/${count}`, { types: ['user.updated'] });
    await numberAllEvents(database);
    for (let count = 0; count < 4; count++) await record(newSubject());
    const done = deliver();
    const countLeased = async () =>
      (await database.all(JOBS)).filter(({ next_attempt_at }) => next_attempt_at > time.now).length;
    await until(() => release.length >= 64, 'as many run as may');
    assert.deepEqual([release.length, await countLeased()], [64, 64]);
    isHanging = false;
    for (const respond of release) respond();
    await done;
    assert.deepEqual(await database.all(JOBS), []);
  });

  test('410 disables the endpoint, records it as an event and notifies the operator', async (context) => {
    const { endpoint, deliver, record, newSubject, list, log, receiver } = await start(
      context,
      respond('410 Gone'),
    );
    await record(newSubject());
    await deliver();
    const { enabled, disabled_reason, version } = (await findEndpoint(database, endpoint.id))!;
    assert.deepEqual([enabled, disabled_reason, version], [0, 'gone', 2]);
    assert.deepEqual(pluck(await list(), 'state'), ['failed']);
    const [event] = await database.all(DISABLED);
    assert.deepEqual({ ...event }, { subject: `webhook:${endpoint.id}`, actor: 'system', reason: 'gone' });
    const [mail] = await database.all(MAIL);
    const data = JSON.stringify({ url: `${receiver.url}/`, reason: 'gone' });
    assert.deepEqual({ ...mail }, { email: OPERATOR, kind: 'webhook_disabled', data });
    assert.ok(log.some(({ msg }) => msg === 'a webhook was disabled'));
    await record(newSubject());
    await deliver();
    assert.equal(receiver.requests.length, 1);
  });

  test('after a rotation, deliveries are signed with both secrets for a day, then the replaced one is deleted', async (context) => {
    const { receiver, endpoint, deliver, record, newSubject, deps, time } = await start(context);
    time.now = Date.now();
    const rotated = await database.transaction((tx) => rotateSecret(deps, tx, endpoint.id));
    await record(newSubject());
    await deliver();
    const { body, headers } = receiver.requests.find((request) => request.body.includes('user.updated'))!;
    const given = headers as Record<string, string>;
    const secret = `whsec_${Buffer.from(rotated.secret).toString('base64')}`;
    for (const each of [endpoint.secret, secret]) new Webhook(each).verify(body, given);
    assert.equal(given['webhook-signature']!.split(' ').length, 2);
    time.now += DAY;
    await record(newSubject());
    await deliver();
    assert.equal(receiver.requests.at(-1)!.headers['webhook-signature']!.split(' ').length, 1);
    assert.notEqual((await database.get(SECRETS, endpoint.id))!.previous_secret, null);
    await database.transaction((tx) => clearPreviousSecrets(tx, time.now, 500));
    assert.equal((await database.get(SECRETS, endpoint.id))!.previous_secret, null);
  });

  test('a secret that cannot be decrypted is a failure with its reason, and nothing is sent', async (context) => {
    const { receiver, endpoint, deliver, record, newSubject, attempts, log } = await start(context);
    const lost = createSecretSeal('another-key-that-was-lost-before').seal(endpoint.id, Buffer.from('lost'));
    await database.transaction((tx) =>
      tx.run(sql('update webhook_endpoints set secret = $2 where id = $1'), endpoint.id, lost),
    );
    await record(newSubject());
    await deliver();
    assert.equal((await attempts())[0]!.error, 'secret_unreadable');
    assert.equal(receiver.requests.length, 0);
    assert.ok(log.some(({ msg }) => String(msg).includes('rotate it')));
  });
});
