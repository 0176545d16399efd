import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnEachEngine } from '../../../test/support/engines.ts';
import { newKey, tallyOf } from '../../../test/support/keyed.ts';
import { useService } from '../../../test/support/service.ts';
import type { Tx } from '../../database/database.ts';
import { readSetting, writeSetting } from '../../database/settings.ts';
import { Problem } from '../../problems.ts';
import type { HandlerContext, Route } from '../route.ts';
import { createIdempotency, type IdempotentRequest } from './idempotency.ts';

const LEASE_MS = 30_000;
const inUse = (problem: Problem) =>
  problem.code === 'idempotency_key_in_use' && problem.options.retryAfterSeconds === 1;

/** An effect that can be looked at afterwards: the setting that is named after the key. */
const effect = (key: string, value: string) => async (tx: Tx) => {
  await writeSetting(tx, key, value);
  return { status: 201, body: { value } };
};

function requestOf(key: string, execute: IdempotentRequest['execute']): IdempotentRequest {
  return {
    route: { method: 'POST', path: '/things' } as unknown as Route,
    context: {
      caller: { kind: 'anonymous' },
      params: {},
      query: {},
      body: {},
      headers: {},
      clientIp: '192.0.2.1',
      transaction: () => assert.fail('what has a key is not carried out without it'),
    },
    keys: [key],
    rawBody: {},
    serialize: ({ status, body }) => ({ status, headers: {}, body: JSON.stringify(body) }),
    serializeProblem: ({ status, code }) => ({ status, headers: {}, body: code }),
    execute,
  };
}

describeOnEachEngine('an attempt', (engine) => {
  const service = useService(engine);
  const clock = { now: Date.now() };
  const prepare = () => {
    const { database } = service.service;
    const secretKey = 'the-secret-of-this-test-and-nobody-else';
    const options = { database, clock: () => clock.now, secretKey, publicUrl: '' };
    const [key, run] = [newKey(), createIdempotency(options)];
    return {
      key,
      attempt: (execute: IdempotentRequest['execute']) => run(requestOf(key, execute)),
      stored: () => readSetting(database, key),
      tally: () => tallyOf(database),
    };
  };

  /** An attempt that has its claim, and goes on to its effect only when told. */
  const hold = async ({ key, attempt }: ReturnType<typeof prepare>) => {
    const started = Promise.withResolvers<void>();
    const semaphore = Promise.withResolvers<void>();
    const answer = attempt(async (transaction) => {
      started.resolve();
      await semaphore.promise;
      return transaction(effect(key, 'late'));
    });
    await started.promise;
    return { answer, goOn: semaphore.resolve };
  };
  const execution = (key: string, value: string) => (transaction: HandlerContext['transaction']) =>
    transaction(effect(key, value));
  const never = () => assert.fail('carried out again');

  test('is alone while it lasts, and its answer is given again afterwards', async () => {
    const prepared = prepare();
    const { answer, goOn } = await hold(prepared);
    await assert.rejects(prepared.attempt(never), inUse);
    clock.now += LEASE_MS - 1;
    await assert.rejects(prepared.attempt(never), inUse);
    goOn();
    const first = await answer;
    const again = await prepared.attempt(never);
    assert.deepEqual(again.headers, { 'idempotent-replayed': 'true' });
    assert.deepEqual([again.status, again.body], [first.status, first.body]);
  });

  test('that was taken over after its lease commits nothing', async () => {
    const prepared = prepare();
    const { answer, goOn } = await hold(prepared);
    clock.now += LEASE_MS;
    const second = await prepared.attempt(execution(prepared.key, 'in time'));
    goOn();
    await assert.rejects(answer, inUse);
    assert.equal(await prepared.stored(), 'in time');
    assert.equal((await prepared.attempt(never)).body, second.body);
  });

  test('that was taken over by one still under way commits nothing, and does not free its claim', async () => {
    const prepared = prepare();
    const late = await hold(prepared);
    clock.now += LEASE_MS;
    const present = await hold(prepared);
    late.goOn();
    await assert.rejects(late.answer, inUse);
    assert.equal(await prepared.stored(), undefined);
    await assert.rejects(prepared.attempt(never), inUse);
    present.goOn();
    assert.equal((await present.answer).status, 201);
  });

  test('that is late may still transaction when nobody has come meanwhile', async () => {
    const prepared = prepare();
    const { answer, goOn } = await hold(prepared);
    clock.now += 10 * LEASE_MS;
    goOn();
    assert.equal((await answer).status, 201);
    assert.equal((await prepared.attempt(never)).status, 201);
  });

  const failures: Record<string, (key: string) => IdempotentRequest['execute']> = {
    'before its effect': () => () => Promise.reject(new Error('failed')),
    'in the middle of its effect': (key) => (transaction) =>
      transaction(async (tx) => {
        await effect(key, 'half')(tx);
        throw new Error('failed');
      }),
    'with a refusal that may be retried': () => () => Promise.reject(new Problem('service_unavailable')),
  };
  for (const [moment, failing] of Object.entries(failures)) {
    test(`that fails ${moment} leaves nothing, and the key is free`, async () => {
      const { key, attempt, stored, tally } = prepare();
      const before = await tally();
      await assert.rejects(attempt(failing(key)));
      assert.deepEqual(await tally(), before);
      assert.equal(await stored(), undefined);
      await attempt(execution(key, 'retried'));
      assert.equal(await stored(), 'retried');
    });
  }

  test('that fails after its transaction has happened all the same', async () => {
    const { key, attempt, stored } = prepare();
    const failing = async (transaction: HandlerContext['transaction']) => {
      await transaction(effect(key, 'done'));
      throw new Error('failed afterwards');
    };
    await assert.rejects(attempt(failing));
    assert.equal((await attempt(never)).status, 201);
    assert.equal(await stored(), 'done');
  });
});
