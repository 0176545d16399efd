import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiResponse } from '../../../../test/support/api.ts';
import {
  createTestForm,
  FORMS,
  NAME_FIELD,
  publishNextVersion,
  publishTestForm,
} from '../../../../test/support/forms.ts';
import { describeStorage, type Engine } from '../../../../test/support/runner/engines.ts';
import {
  admin,
  startService,
  type TestService,
  useService,
  useSharedService,
} from '../../../../test/support/service.ts';
import { insertLoggedInUser, insertTestToken } from '../../../../test/support/users.ts';
import { createGetPublishedForm } from '../definitions/definition.ts';
import { prepareSubmission } from './receive-submission.ts';

const ANSWERS = { answers: { full_name: 'Ada' } };

describeStorage('POST /api/v1/forms/{id}/submissions', (engine) => {
  const service = useSharedService(engine);
  const submit = (path: string, body: unknown = ANSWERS, options: object = {}) =>
    service.api.post(`${path}/submissions`, body, options);
  const list = async (path: string, query = '') =>
    (await service.api.get(`${path}/submissions${query}`, admin)).body.data;

  test('a submission is stored as it was sent, with hostile labels, and recorded as an event', async () => {
    const labels = ['__proto__', 'constructor', 'toString', '123'];
    const optional = labels.map((label) => ({ label, type: 'text', is_required: false }));
    const fields = [NAME_FIELD, ...optional, { label: 'amount', type: 'number', is_required: false }];
    const path = await publishTestForm(service, { fields });
    const raw =
      '{"answers":{"full_name":" =Ada 😀 ","__proto__":"a","constructor":"b","toString":"","123":null,"amount":0}}';
    const { status, body } = await submit(path, undefined, { raw });
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(body.data), ['id', 'received_at', 'version']);
    const [stored] = await list(path);
    assert.deepEqual(Object.entries(stored.answers), [
      ['full_name', ' =Ada 😀 '],
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['amount', 0],
    ]);
    assert.deepEqual([stored.version, stored.held, stored.user_id], [1, false, null]);
    assert.deepEqual((await service.api.get(`${path}/submissions/${stored.id}`, admin)).body.data, stored);
    const events = await service.api.get(
      `/api/v1/events?subject=form:${path.split('/').at(-1)}&type=submission.received`,
      admin,
    );
    const [{ type, details, actor, address, device }] = events.body.data;
    assert.deepEqual(
      [type, details, actor.type, address, device],
      [
        'submission.received',
        { form_id: path.split('/').at(-1), submission_id: stored.id, held: false },
        ...['anonymous', null, null],
      ],
    );
  });

  test('more than ten anonymous submissions in a minute from one network are held, take no place and can be released', async () => {
    const path = await publishTestForm(service, { max_submissions: 10 });
    for (let number = 0; number < 12; number++) assert.equal((await submit(path)).status, 201);
    assert.equal((await list(path)).length, 10);
    assert.equal((await list(path, '?held=include')).length, 12);
    const [held] = await list(path, '?held=only');
    assert.deepEqual([held.held, held.held_reason], [true, 'too_many']);
    const { token } = await insertLoggedInUser(service.database);
    assert.equal((await submit(path, ANSWERS, { token })).body.code, 'form_full');
    const release = `${path}/submissions/${held.id}/release`;
    for (const _ of [1, 2])
      assert.equal((await service.api.post(release, undefined, admin)).body.data.held, false);
    const released = await list(path);
    assert.equal(released.length, 11);
    assert.ok(released.every((one: object) => !('held_reason' in one)));
    const { submissions } = (await service.api.get(path, admin)).body.data;
    assert.deepEqual(submissions, { accepted: 11, held: 1 });
  });

  test('a deleted submission is absent, and its place is free', async () => {
    const path = await publishTestForm(service, { max_submissions: 1 });
    const { id } = (await submit(path)).body.data;
    assert.equal((await submit(path)).body.code, 'form_full');
    const one = `${path}/submissions/${id}`;
    assert.equal((await service.api.delete(one, admin)).status, 204);
    for (const method of ['GET', 'DELETE'])
      assert.equal((await service.api.request(method, one, admin)).body.code, 'submission_not_found');
    assert.equal((await service.api.get(`${path}/submissions/x`, admin)).body.code, 'submission_not_found');
    assert.equal((await submit(path)).status, 201);
  });

  if (engine === 'postgres') return;

  test('a submission is rejected before the form opens, after it closes, and to a draft', async () => {
    const { id } = await createTestForm(service);
    const future = { opens_at: new Date(Date.now() + 60_000).toISOString() };
    const past = { closes_at: new Date(Date.now() - 1).toISOString() };
    const paths = {
      form_not_found: `${FORMS}/${id}`,
      form_not_open: await publishTestForm(service, future),
      form_closed: await publishTestForm(service, past),
    };
    for (const [code, path] of Object.entries(paths)) assert.equal((await submit(path)).body.code, code);
    const path = await publishTestForm(service);
    assert.equal((await submit(path)).status, 201);
    await service.api.post(`${path}/close`, undefined, admin);
    assert.equal((await submit(path)).body.code, 'form_closed');
    await service.api.post(`${path}/reopen`, undefined, admin);
    assert.equal((await submit(path)).status, 201);
  });

  test('a submission with an Idempotency-Key is stored once, and other answers with the same key are rejected', async () => {
    const path = await publishTestForm(service);
    const options = { headers: { 'idempotency-key': `key-${path}` } };
    const [first, second] = [await submit(path, ANSWERS, options), await submit(path, ANSWERS, options)];
    assert.deepEqual([second.status, second.body], [201, first.body]);
    const other = await submit(path, { answers: { full_name: 'Bob' } }, options);
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
    assert.equal((await list(path)).length, 1);
  });

  test('a form with the access token accepts submissions of users only, and once each if it says so', async () => {
    const path = await publishTestForm(service, { access: 'token', once: true });
    for (const options of [{}, admin]) assert.equal((await submit(path, ANSWERS, options)).status, 401);
    const { id, token } = await insertLoggedInUser(service.database);
    assert.equal((await submit(path, ANSWERS, { token })).status, 201);
    assert.equal((await submit(path, ANSWERS, { token })).body.code, 'already_submitted');
    const [stored] = await list(path);
    assert.equal(stored.user_id, id);
    const event = (
      await service.api.get(
        `/api/v1/events?subject=form:${path.split('/').at(-1)}&type=submission.received`,
        admin,
      )
    ).body.data[0];
    assert.deepEqual([event.actor.type, event.actor.id], ['user', id]);
    const reader = await insertTestToken(service.database, id, { scopes: 'self:read' });
    assert.equal((await submit(path, ANSWERS, reader)).body.code, 'insufficient_scope');
  });

  test('a form holds what one network sends beyond its own number in a minute, and exports say why', async () => {
    const path = await publishTestForm(service, { max_per_minute: 12 });
    for (let number = 0; number < 13; number++) await submit(path);
    const rows = (await service.api.get(`${path}/submissions/export?format=ndjson&held=include`, admin)).text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      rows.map(({ held_reason = null }) => held_reason),
      [...Array(12).fill(null), 'too_many'],
    );
    assert.deepEqual(Object.keys(rows[0]), ['id', 'received_at', 'version', 'held', 'user_id', 'answers']);
  });

  test('a submission is rejected with every error, in the order of the fields', async () => {
    const fields = [NAME_FIELD, { label: 'amount', type: 'number', is_required: true }];
    const path = await publishTestForm(service, { fields });
    const { status, body } = await submit(path, undefined, {
      raw: '{"answers":{"constructor":{"prototype":"secret"},"amount":1e400,"full_name":[]}}',
    });
    assert.deepEqual([status, body.code], [400, 'validation_failed']);
    assert.deepEqual(
      body.errors.map(({ field, code }: Record<string, string>) => [field, code]),
      [
        ['full_name', 'type'],
        ['amount', 'inexact'],
        ['constructor', 'unknown'],
      ],
    );
    assert.deepEqual(await list(path), []);
  });

  test('a submission that is no object of answers is rejected', async () => {
    const path = await publishTestForm(service);
    for (const raw of ['[]', '1', '{"answers":{"full_name":"a","full_name":"b"}}', '{"answers":'])
      assert.equal((await submit(path, undefined, { raw })).body.code, 'invalid_payload', raw);
    for (const raw of [
      '{}',
      '{"answers":[]}',
      '{"answers":1e400}',
      '{"answers":{},"held":false}',
      '{"__proto__":{},"answers":{}}',
    ])
      assert.equal((await submit(path, undefined, { raw })).body.code, 'validation_failed', raw);
  });
});

/** Repeats a submission for which a busy machine had no connection to the database. */
async function submitUntilAnswered(node: TestService, path: string, token: string): Promise<ApiResponse> {
  const response = await node.api.post(`${path}/submissions`, ANSWERS, { token });
  return response.status === 503 ? submitUntilAnswered(node, path, token) : response;
}

/** Starts another node on the database; on SQLite there is one only. */
async function startSecondNode(service: TestService, engine: Engine, options: object = {}) {
  if (engine === 'sqlite') return service;
  return startService(engine, { testDatabase: service.testDatabase, ...options });
}

describeStorage('concurrent submissions', (engine) => {
  const service = useSharedService(engine);

  /** Sends 40 submissions at once to the nodes in turn, and counts the outcomes. */
  async function submitAll(path: string, tokens: readonly string[]) {
    const second = await startSecondNode(service, engine);
    const nodes = [service, second];
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        submitUntilAnswered(nodes[index % 2]!, path, tokens[index % tokens.length]!),
      ),
    );
    if (second !== service) await second.stop();
    const stored = await service.api.get(`${path}/submissions?limit=100`, admin);
    const counts = Object.groupBy(responses, ({ status, body }) => body.code ?? String(status));
    return {
      stored: stored.body.data.length,
      counts: Object.fromEntries(Object.entries(counts).map(([code, list = []]) => [code, list.length])),
    };
  }

  const createTokens = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => (await insertLoggedInUser(service.database)).token),
    );

  test('40 concurrent submissions never exceed the maximum of the form', async () => {
    const path = await publishTestForm(service, { max_submissions: 7 });
    const { stored, counts } = await submitAll(path, await createTokens(4));
    assert.deepEqual([stored, counts], [7, { 201: 7, form_full: 33 }]);
  });

  test('a maximum that is set after submissions were checked, and before they are stored, is exact', async () => {
    const path = await publishTestForm(service);
    const { database } = service;
    const deps = { database, clock: Date.now, countSubmission: () => false };
    const given = {
      form: await createGetPublishedForm(database)(path.split('/').at(-1)!),
      answers: new Map([['full_name', 'Ada']]),
      caller: { kind: 'anonymous' },
      clientIp: '192.0.2.1',
    } as const;
    const stores = await Promise.all(Array.from({ length: 20 }, () => prepareSubmission(deps, given)));
    await publishNextVersion(service, path, { title: 'Contact', fields: [NAME_FIELD], max_submissions: 5 });
    const outcomes = await Promise.allSettled(stores.map((store) => database.transaction(store)));
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 5);
    const codes = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : []));
    assert.deepEqual(new Set(codes), new Set(['form_full']));
  });

  test('40 concurrent submissions of ten users are stored once each', async () => {
    const path = await publishTestForm(service, { access: 'token', once: true });
    const { stored, counts } = await submitAll(path, await createTokens(10));
    assert.deepEqual([stored, counts], [10, { 201: 10, already_submitted: 30 }]);
  });
});

describeStorage('concurrent submissions while a form opens and closes', (engine) => {
  const opensAt = Date.UTC(2026, 0, 1);
  const time = { now: opensAt, isRunning: false };
  // Every reading is a millisecond later, on both nodes.
  const clock = () => (time.isRunning ? ++time.now : time.now);
  const service = useService(engine, { clock });

  test('100 concurrent submissions on two nodes are stored from opens_at on until closes_at, and no others', async () => {
    const settings = { opens_at: '2026-01-01T00:01:00Z', closes_at: '2026-01-01T00:01:00.200Z' };
    const path = await publishTestForm(service, settings);
    const second = await startSecondNode(service, engine, { clock });
    const [opens, closes] = [settings.opens_at, settings.closes_at].map(Date.parse) as [number, number];
    Object.assign(time, { now: opens - 200, isRunning: true });
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        [service, second][index % 2]!.api.post(`${path}/submissions`, ANSWERS),
      ),
    );
    time.isRunning = false;
    if (second !== service) await second.stop();
    const counts = Object.groupBy(responses, ({ status, body }) => body.code ?? String(status));
    const stored = (await service.api.get(`${path}/submissions?held=include&limit=100`, admin)).body.data;
    assert.equal(stored.length, counts['201']?.length ?? 0);
    for (const { received_at } of stored) {
      const received = Date.parse(received_at);
      assert.ok(opens <= received && received < closes, received_at);
    }
    assert.deepEqual(
      Object.keys(counts).filter((code) => !['201', 'form_not_open', 'form_closed'].includes(code)),
      [],
    );
  });
});

describeStorage('times of a form', (engine) => {
  const opensAt = Date.UTC(2026, 0, 1);
  const time = { now: opensAt - 1 };
  const service = useService(engine, { clock: () => time.now });

  test('a form accepts submissions from opens_at on until closes_at, to the millisecond', async () => {
    const settings = { opens_at: '2026-01-01T00:00:00Z', closes_at: '2026-01-01T00:00:01Z' };
    const path = await publishTestForm(service, settings);
    const outcomes: unknown[] = [];
    for (const now of [opensAt - 1, opensAt, opensAt + 999, opensAt + 1_000]) {
      time.now = now;
      const { status, body } = await service.api.post(`${path}/submissions`, ANSWERS);
      outcomes.push(body.code ?? status);
    }
    assert.deepEqual(outcomes, ['form_not_open', 201, 201, 'form_closed']);
  });
});
