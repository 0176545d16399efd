import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { createKeyedSemaphore } from './shared-work.ts';

/** Work that runs until `finish` is called, and records its start. */
function heldWork(started: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const work = () => {
    started.push(name);
    return promise;
  };
  return { work, finish: () => resolve(name) };
}

describe('the keyed semaphore', () => {
  test('the keyed semaphore runs as many pieces of work per key as its capacity, and the others in order of arrival', async () => {
    const semaphore = createKeyedSemaphore(2);
    const started: string[] = [];
    const works = ['a', 'b', 'c', 'd'].map((name) => heldWork(started, name));
    const results = works.map(({ work }) => semaphore('key', work));
    assert.deepEqual(started, ['a', 'b']);
    works[1]!.finish();
    assert.equal(await results[1], 'b');
    assert.deepEqual(started, ['a', 'b', 'c']);
    for (const { finish } of works) finish();
    assert.deepEqual(await Promise.all(results), ['a', 'b', 'c', 'd']);
    assert.deepEqual(started, ['a', 'b', 'c', 'd']);
  });

  test('the keyed semaphore does not make work wait for another key', async () => {
    const semaphore = createKeyedSemaphore(1);
    const held = heldWork([], 'held');
    const first = semaphore('one', held.work);
    assert.equal(await semaphore('other', async () => 'done'), 'done');
    held.finish();
    assert.equal(await first, 'held');
  });

  test('the keyed semaphore passes the slot of failed work on, and the failure to its caller', async () => {
    const semaphore = createKeyedSemaphore(1);
    const failing = semaphore('key', async () => assert.fail('on purpose'));
    const next = semaphore('key', async () => 'done');
    await assert.rejects(failing, /on purpose/);
    assert.equal(await next, 'done');
    const thrown = semaphore('key', () => {
      throw new Error('before the first await');
    });
    await assert.rejects(thrown, /before the first await/);
    assert.equal(await semaphore('key', async () => 'again'), 'again');
  });

  test('the keyed semaphore lets no work that arrives while a slot is passed on overtake the queue', async () => {
    const semaphore = createKeyedSemaphore(1);
    const started: string[] = [];
    const first = heldWork(started, 'first');
    const running = semaphore('key', first.work);
    const waiting = semaphore('key', async () => started.push('waiting'));
    const late = running.then(() => semaphore('key', async () => started.push('late')));
    first.finish();
    await Promise.all([waiting, late]);
    assert.deepEqual(started, ['first', 'waiting', 'late']);
  });

  test('the keyed semaphore never exceeds its capacity and finishes all work, for any keys and durations', async () => {
    const job = fc.record({
      key: fc.constantFrom('a', '__proto__', ''),
      turns: fc.nat(3),
      fails: fc.boolean(),
    });
    const holds = async (capacity: number, jobs: { key: string; turns: number; fails: boolean }[]) => {
      const semaphore = createKeyedSemaphore(capacity);
      const inside = new Map<string, number>();
      const run = async ({ key, turns, fails }: (typeof jobs)[number]) => {
        const now = (inside.get(key) ?? 0) + 1;
        assert.ok(now <= capacity);
        inside.set(key, now);
        for (let turn = 0; turn < turns; turn++) await nextTurn();
        inside.set(key, inside.get(key)! - 1);
        if (fails) throw new Error('on purpose');
      };
      const results = await Promise.allSettled(jobs.map((one) => semaphore(one.key, () => run(one))));
      const statuses = jobs.map(({ fails }) => (fails ? 'rejected' : 'fulfilled'));
      assert.deepEqual(
        results.map(({ status }) => status),
        statuses,
      );
    };
    await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(job), holds));
  });
});
