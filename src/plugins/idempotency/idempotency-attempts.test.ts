import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newKey, readTally } from '../../../test/support/keyed.ts';
import { describeStorage } from '../../../test/support/runner/engines.ts';
import { useService } from '../../../test/support/service.ts';
import type { Tx } from '../../database/database.ts';
import { readSetting, writeSetting } from '../../database/settings.ts';
import { createIdempotency, type IdempotentRequest } from '../../idempotency/idempotency.ts';
import type { PreparedEffect } from '../../idempotency/stored-response.ts';
import { Problem } from '../../problems/problem.ts';

const LEASE_MS = 30_000;
const inUse = (problem: Problem) =>
  problem.code === 'idempotency_key_in_use' && problem.options.retryAfterSeconds === 1;

/** An effect that the test can read afterwards: a setting with the key as its name. */
const effect = (key: string, value: string) => async (tx: Tx) => {
  await writeSetting(tx, key, value);
  return { status: 201, headers: {}, body: { value }, createdResources: {} };
};

type Prepare = IdempotentRequest['prepare'];
type Store = PreparedEffect['store'];

function createRequest(key: string, prepare: Prepare): IdempotentRequest {
  return {
    route: 'POST /things',
    caller: { kind: 'anonymous' },
    clientIp: '192.0.2.1',
    params: {},
    keys: [key],
    rawBody: {},
    serialize: ({ status, body }) => ({ status, headers: {}, body: JSON.stringify(body) }),
    serializeProblem: ({ status, code }) => ({ status, headers: {}, body: code }),
    prepare,
  };
}

describeStorage('concurrent and failed attempts of an idempotent request', (engine) => {
  const service = useService(engine);
  const clock = { now: Date.now() };
  const prepare = () => {
    const { database } = service;
    const secretKey = 'the-secret-of-this-test-and-no-other-one';
    const options = { database, clock: () => clock.now, secretKey, publicUrl: '' };
    const [key, run] = [newKey(), createIdempotency(options)];
    return {
      key,
      attempt: (prepareEffect: Prepare, rawBody = {}) =>
        run({ ...createRequest(key, prepareEffect), rawBody }),
      stored: () => readSetting(database, key),
      tally: () => readTally(database),
    };
  };

  /** Starts an attempt that has its claim and waits for `proceed` before its effect. */
  const hold = async ({ key, attempt }: ReturnType<typeof prepare>, store: Store = effect(key, 'late')) => {
    const started = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const response = attempt(async () => {
      started.resolve();
      await gate.promise;
      return { store };
    });
    await started.promise;
    return { response, proceed: gate.resolve };
  };
  const execution = (key: string, value: string) => async () => ({ store: effect(key, value) });
  const never = () => assert.fail('the request was processed again');

  test('a retry is rejected while the first attempt is running, and replays the stored response afterwards', async () => {
    const prepared = prepare();
    const { response, proceed } = await hold(prepared);
    await assert.rejects(prepared.attempt(never), inUse);
    clock.now += LEASE_MS - 1;
    await assert.rejects(prepared.attempt(never), inUse);
    const reused = prepared.attempt(never, { another: 'body' });
    await assert.rejects(reused, ({ code }: Problem) => code === 'idempotency_key_reused');
    proceed();
    const first = await response;
    const again = await prepared.attempt(never);
    assert.deepEqual(again.headers, { 'idempotent-replayed': 'true' });
    assert.deepEqual([again.status, again.body], [first.status, first.body]);
  });

  test('an idempotent attempt is rolled back when its claim was taken over after its lease', async () => {
    const prepared = prepare();
    const { response, proceed } = await hold(prepared);
    clock.now += LEASE_MS;
    const second = await prepared.attempt(execution(prepared.key, 'in time'));
    proceed();
    await assert.rejects(response, inUse);
    assert.equal(await prepared.stored(), 'in time');
    assert.equal((await prepared.attempt(never)).body, second.body);
  });

  test('an attempt whose claim a running attempt has taken over is rolled back, and that claim is kept', async () => {
    const prepared = prepare();
    const late = await hold(prepared);
    clock.now += LEASE_MS;
    const current = await hold(prepared);
    late.proceed();
    await assert.rejects(late.response, inUse);
    assert.equal(await prepared.stored(), undefined);
    await assert.rejects(prepared.attempt(never), inUse);
    current.proceed();
    assert.equal((await current.response).status, 201);
  });

  test('an attempt does not report the effect of the attempt that has taken over as a duplicate', async () => {
    const prepared = prepare();
    const { response, proceed } = await hold(prepared, () =>
      Promise.reject(new Problem('email_taken', { isOutcome: true })),
    );
    clock.now += LEASE_MS;
    const second = await prepared.attempt(execution(prepared.key, 'in time'));
    proceed();
    await assert.rejects(response, inUse);
    assert.equal((await prepared.attempt(never)).body, second.body);
  });

  test('an attempt that ends with the outcome of its request, whichever problem it is, returns it again', async () => {
    const prepared = prepare();
    const outcome = () => Promise.reject(new Problem('last_way_in', { isOutcome: true }));
    await assert.rejects(prepared.attempt(outcome), ({ code }: Problem) => code === 'last_way_in');
    assert.equal((await prepared.attempt(never)).status, 409);
  });

  test('an attempt is committed after its lease if no other attempt has taken over the claim', async () => {
    const prepared = prepare();
    const { response, proceed } = await hold(prepared);
    clock.now += 10 * LEASE_MS;
    proceed();
    assert.equal((await response).status, 201);
    assert.equal((await prepared.attempt(never)).status, 201);
  });

  const failures: Record<string, (key: string) => Prepare> = {
    'before its effect': () => () => Promise.reject(new Error('failed')),
    'in the middle of its effect': (key) => async () => ({
      store: async (tx) => {
        await effect(key, 'half')(tx);
        throw new Error('failed');
      },
    }),
    'with an error response that may be retried': () => () =>
      Promise.reject(new Problem('service_unavailable')),
  };
  for (const [moment, failing] of Object.entries(failures)) {
    test(`an attempt that fails ${moment} stores nothing and releases the key`, async () => {
      const { key, attempt, stored, tally } = prepare();
      const before = await tally();
      await assert.rejects(attempt(failing(key)));
      assert.deepEqual(await tally(), before);
      assert.equal(await stored(), undefined);
      await attempt(execution(key, 'retried'));
      assert.equal(await stored(), 'retried');
    });
  }

  test('an attempt that failed after its transaction is replayed from its stored response', async () => {
    const { key, attempt, stored } = prepare();
    const onStored = () => {
      throw new Error('failed afterwards');
    };
    await assert.rejects(attempt(async () => ({ store: effect(key, 'done'), onStored })));
    assert.equal((await attempt(never)).status, 201);
    assert.equal(await stored(), 'done');
  });
});
