import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import {
  FROM_CONSOLE,
  fromConsole,
  SESSION_PATH,
  signIn,
} from '../../../test/support/browser/console-session.ts';
import { createCredential } from '../../../test/support/credentials.ts';
import { insertTestEvents, numberAllEvents } from '../../../test/support/events.ts';
import { manualClock } from '../../../test/support/limits.ts';
import { describeOnEachEngine, describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, admin, startService, useService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import { insertTestUser } from '../../../test/support/users.ts';
import { HOUR } from '../../lib/time.ts';
import { readChain } from './queries.ts';
import { recordEvent } from './record-event.ts';
import { deleteOldEvents } from './retention/delete-events.ts';

const PATH = '/api/v1/events/stream';

interface Message {
  readonly id: string;
  readonly data: {
    readonly id: string;
    readonly type: string;
    readonly subject: string;
    readonly sequence: number;
  };
}

/** Opens a stream, whose text and messages grow as they are read. */
async function open(
  context: TestContext,
  url: string,
  { headers = {}, query = '' }: { headers?: Record<string, string>; query?: string } = {},
) {
  const abort = new AbortController();
  context.after(() => abort.abort());
  const response = await fetch(`${url}${PATH}${query}`, {
    headers: 'cookie' in headers ? headers : { authorization: `Bearer ${ADMIN_TOKEN}`, ...headers },
    signal: abort.signal,
  });
  const stream = {
    response,
    text: '',
    hasEnded: false,
    messages: [] as Message[],
    abort: () => abort.abort(),
  };
  const read = async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      stream.text += chunk;
      stream.messages = Array.from(stream.text.matchAll(/id: (\S+)\ndata: (.*)\n\n/g), ([, id, data]) => ({
        id: id!,
        data: JSON.parse(data!),
      }));
    }
    stream.hasEnded = true;
  };
  read().catch(() => {});
  return stream;
}

describeOnEachEngine('GET /api/v1/events/stream', (engine) => {
  const service = useService(engine);
  const database = () => service.database;
  const record = async (count: number) => {
    const { id } = await insertTestUser(database());
    await database().transaction(async (tx) => {
      for (let index = 0; index < count; index++)
        await recordEvent(tx, { type: 'password.changed', actor: 'user', userId: id, now: Date.now() });
    });
    return `user:${id}`;
  };
  const sequences = ({ messages }: { messages: Message[] }, subject: string) =>
    messages.filter(({ data }) => data.subject === subject).map(({ data }) => data.sequence);

  test('a stream of events begins at the current end and sends new events without personal data', async (context) => {
    const before = await record(2);
    await numberAllEvents(database());
    const stream = await open(context, service.api.url);
    const { status, headers } = stream.response;
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/event-stream');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-accel-buffering'), 'no');
    const subject = await record(3);
    await until(() => stream.messages.length >= 3, 'the events are sent');
    assert.deepEqual(sequences(stream, subject), [1, 2, 3]);
    assert.deepEqual(sequences(stream, before), []);
    assert.match(stream.text, /^retry: \d+\nid: \S+\n\n/);
    const members = Object.keys(stream.messages[0]!.data);
    assert.deepEqual(members, ['id', 'type', 'time', 'subject', 'sequence']);
  });

  test('a stream of events goes on after Last-Event-ID or a cursor of the list, without a gap or a repetition', async (context) => {
    const first = await open(context, service.api.url);
    const subject = await record(5);
    await until(() => first.messages.length >= 5, 'the events are sent');
    first.abort();
    const { id } = first.messages[1]!;
    await record(0);
    const resumed = await open(context, service.api.url, { headers: { 'last-event-id': id } });
    const { body } = await service.api.get(`/api/v1/events?order=time&limit=100&cursor=${id}`, admin);
    assert.equal(body.data.length, 3, 'the id is a cursor of the list');
    const later = await open(context, service.api.url, { query: `?cursor=${body.next_cursor}` });
    const more = await record(2);
    await until(() => resumed.messages.length >= 5 && later.messages.length >= 2, 'the rest is sent');
    assert.deepEqual(sequences(resumed, subject), [3, 4, 5]);
    assert.deepEqual(sequences(resumed, more), [1, 2]);
    assert.deepEqual(sequences(later, subject), []);
    assert.deepEqual(sequences(later, more), [1, 2]);
  });

  test('a stream of events sends many earlier events and then new ones, each once and in order', async (context) => {
    const { body } = await service.api.get('/api/v1/events?order=time&type=user.erased', admin);
    const cursor = (await service.api.get('/api/v1/events?order=time&limit=1', admin)).body.next_cursor;
    assert.deepEqual(body.data, []);
    for (let index = 0; index < 3; index++)
      await insertTestEvents(database(), (await insertTestUser(database())).id, 990);
    await numberAllEvents(database());
    const { number } = await readChain(database());
    const stream = await open(context, service.api.url, { query: `?cursor=${cursor}` });
    const subject = await record(30);
    await until(() => sequences(stream, subject).length === 30, 'all events are sent');
    assert.equal(stream.messages.length, number - 1 + 30);
    const ids = stream.messages.map(({ data }) => data.id);
    assert.equal(new Set(ids).size, ids.length);
  });

  test('a stream of events rejects a Last-Event-ID whose next event was deleted with 410', async () => {
    await record(3);
    const { next_cursor } = (await service.api.get('/api/v1/events?order=time&limit=1', admin)).body;
    await database().transaction((tx) => deleteOldEvents(tx, { before: Date.now() + 1, now: Date.now() }, 3));
    const { status, body } = await service.api.get(PATH, {
      ...admin,
      headers: { 'last-event-id': next_cursor },
    });
    assert.deepEqual([status, body.code], [410, 'events_expired']);
  });

  if (engine === 'postgres') return;

  test('a client that does not read delays no other one, and gets all events when it reads on', async (context) => {
    const address = new URL(service.api.url);
    const stalled = connect(Number(address.port), address.hostname);
    context.after(() => stalled.destroy());
    stalled.write(`GET ${PATH} HTTP/1.1\r\nHost: local\r\nAuthorization: Bearer ${ADMIN_TOKEN}\r\n\r\n`);
    await once(stalled, 'data');
    stalled.pause();
    const reader = await open(context, service.api.url);
    const subjects: string[] = [];
    for (let index = 0; index < 4; index++) {
      const { id } = await insertTestUser(database());
      await insertTestEvents(database(), id, 900);
      await numberAllEvents(database());
      subjects.push(`user:${id}`);
    }
    const isComplete = () => subjects.every((subject) => sequences(reader, subject).length === 900);
    await until(isComplete, 'the reader has all events');
    let text = '';
    stalled.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    stalled.resume();
    const count = () => text.split('\ndata: ').length - 1;
    await until(() => count() >= subjects.length * 900, 'the client that has stalled has them, too');
  });

  test('a stream of events rejects wrong cursors, other callers and other methods', async () => {
    const wrong = await service.api.get(`${PATH}?cursor=x`, admin);
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'invalid_cursor']);
    const id = await service.api.get(PATH, { ...admin, headers: { 'last-event-id': 'x' } });
    assert.deepEqual([id.status, id.body.code], [400, 'invalid_cursor']);
    const head = await service.api.request('HEAD', PATH, admin);
    assert.deepEqual([head.status, head.text], [200, '']);
  });
});

describeOnSqlite('the number of streams of events', (engine) => {
  const service = useService(engine);
  const openMany = (context: TestContext, count: number, authorization: string) => {
    const streams = Array.from({ length: count }, () =>
      open(context, service.api.url, { headers: { authorization } }),
    );
    return Promise.all(streams);
  };

  test('a credential opens 20 streams, a node 200: further ones are rejected until one is closed', async (context) => {
    const owners: string[] = [];
    for (let index = 0; index < 9; index++)
      owners.push((await createCredential(service, ['events:read'])).secret);
    const [first, ...rest] = await openMany(context, 20, `Bearer ${ADMIN_TOKEN}`);
    const full = await service.api.get(PATH, admin);
    assert.deepEqual([full.status, full.body.code], [429, 'too_many_streams']);
    assert.equal(full.headers.get('retry-after'), '10');
    first!.abort();
    const reopened = async () => (await openMany(context, 1, `Bearer ${ADMIN_TOKEN}`))[0]!.response.status;
    await until(async () => (await reopened()) === 200, 'there is room for one more');
    for (const secret of owners) rest.push(...(await openMany(context, 20, `Bearer ${secret}`)));
    assert.ok(rest.every(({ response }) => response.status === 200));
    const { secret } = await createCredential(service, ['events:read']);
    const rejected = await service.api.get(PATH, { token: secret });
    assert.deepEqual([rejected.status, rejected.body.code], [503, 'service_unavailable']);
  });
});

describeOnSqlite('streams of events at the stop of the service', (engine) => {
  test('streams of events end when the service stops, which they do not delay', async (context) => {
    const service = await startService(engine);
    const streams = [await open(context, service.api.url), await open(context, service.api.url)];
    const begun = performance.now();
    await service.stop();
    assert.ok(performance.now() - begun < 10_000);
    await until(() => streams.every(({ hasEnded }) => hasEnded), 'the streams have ended');
  });
});

describeOnSqlite('streams of events of the console', (engine) => {
  const clock = manualClock();
  const service = useService(engine, { clock, streamCheckMs: 50 });
  const openSession = async (context: TestContext) => {
    const cookie = await signIn(service);
    const headers = { ...FROM_CONSOLE, cookie };
    return { cookie, stream: await open(context, service.api.url, { headers }) };
  };

  test('a stream of a console session ends at the next check after the sign-out, and others go on', async (context) => {
    const [own, other] = [await openSession(context), await openSession(context)];
    const ofCredential = await open(context, service.api.url);
    assert.equal((await service.api.delete(SESSION_PATH, fromConsole(own.cookie))).status, 204);
    await until(() => own.stream.hasEnded, 'the stream of the session has ended');
    assert.deepEqual([other.stream.hasEnded, ofCredential.hasEnded], [false, false]);
    assert.equal((await service.api.get('/api/v1/events', fromConsole(other.cookie))).status, 200);
  });

  test('a stream does not prolong its console session, with which it ends', async (context) => {
    const { stream, cookie } = await openSession(context);
    const ofCredential = await open(context, service.api.url);
    clock.now += HOUR;
    await until(() => stream.hasEnded, 'the stream has ended');
    assert.equal((await service.api.get('/api/v1/events', fromConsole(cookie))).status, 401);
    assert.equal(ofCredential.hasEnded, false);
  });
});
