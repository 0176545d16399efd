import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { pluck } from '../../../test/support/pluck.ts';
import { cached, coalesce, createKeyedSemaphore, joinLookups } from './shared-work.ts';

test('coalesced calls that come while work runs share one run, which begins after it', async () => {
  const gates: PromiseWithResolvers<void>[] = [];
  const run = coalesce(() => {
    gates.push(Promise.withResolvers<void>());
    return gates.at(-1)!.promise;
  });
  const first = run();
  await Promise.resolve();
  const others = [run(), run(), run()];
  assert.equal(new Set(others).size, 1);
  await Promise.resolve();
  assert.equal(gates.length, 1);
  gates[0]!.resolve();
  await first;
  await Promise.resolve();
  assert.equal(gates.length, 2);
  gates[1]!.resolve();
  await Promise.all(others);
  assert.equal(gates.length, 2);
});

const LIFETIME_MS = 2_000;

describe('a cached computation', () => {
  /** Returns numbers, each when `finish` is called; `time` is that of the clock. */
  function counting() {
    const state = { time: 0, started: 0, finish: [] as (() => void)[] };
    const compute = async () => {
      const number = ++state.started;
      await new Promise<void>((resolve) => state.finish.push(resolve));
      return number;
    };
    const monotonicClock = () => state.time;
    return { state, read: cached(compute, { lifetimeMs: LIFETIME_MS, monotonicClock }) };
  }

  test('a cached computation runs once at a time, however long it takes, and its callers share the result', async () => {
    const { state, read } = counting();
    const first = read();
    state.time = 10 * LIFETIME_MS;
    const second = read();
    assert.equal(state.started, 1);
    state.finish[0]!();
    assert.deepEqual(await Promise.all([first, second]), [1, 1]);
  });

  test('a cached computation is repeated when its lifetime, which begins with its end, is over', async () => {
    const { state, read } = counting();
    const first = read();
    state.time = 500;
    state.finish[0]!();
    await first;
    state.time = 500 + LIFETIME_MS - 1;
    assert.equal(await read(), 1);
    state.time = 500 + LIFETIME_MS;
    const next = read();
    state.finish[1]!();
    assert.equal(await next, 2);
  });

  test('a cached computation is repeated by the next call after a failure', async () => {
    let calls = 0;
    const compute = async () => {
      if (++calls === 1) throw new Error('the first one fails');
      return calls;
    };
    const read = cached(compute, { lifetimeMs: LIFETIME_MS, monotonicClock: () => 0 });
    await assert.rejects(read(), /the first one fails/);
    assert.equal(await read(), 2);
  });
});

function createLookup(maximum = 10) {
  const loads: string[][] = [];
  const stored = new Map<string, string>();
  const find = joinLookups<string>(async (keys) => {
    loads.push([...keys]);
    return new Map(stored);
  }, maximum);
  return { loads, stored, find };
}

describe('joined lookups', () => {
  test('joined lookups of one turn are one load, with each key once', async () => {
    const { loads, stored, find } = createLookup();
    stored.set('a', '1').set('b', '2');
    const [one, two, three] = await Promise.all([find(['a']), find(['b', 'a']), find(['c'])]);
    assert.deepEqual(loads, [['a', 'b', 'c']]);
    assert.deepEqual([one.get('a'), two.get('b'), three.get('c')], ['1', '2', undefined]);
  });

  test('joined lookups begin after they were requested, and do not join a load that has begun', async () => {
    const { loads, stored, find } = createLookup();
    stored.set('a', 'before');
    const first = find(['a']);
    stored.set('a', 'after');
    assert.equal((await first).get('a'), 'after');
    const second = find(['a']);
    await nextTurn();
    stored.delete('a');
    const third = find(['a']);
    assert.equal((await second).get('a'), 'after');
    assert.equal((await third).get('a'), undefined);
    assert.equal(loads.length, 3);
  });

  test('joined lookups have at most the maximum of keys in a load', async () => {
    const { loads, find } = createLookup(3);
    await Promise.all([find(['a', 'b']), find(['c']), find(['d']), find(['e', 'f', 'g'])]);
    assert.deepEqual(loads, [['a', 'b', 'c'], ['d'], ['e', 'f', 'g']]);
  });

  test('joined lookups all fail with their load, and later ones do not', async () => {
    let hasFailed = false;
    const find = joinLookups<string>(async () => {
      if (hasFailed) return new Map();
      hasFailed = true;
      throw new Error('unavailable');
    }, 10);
    const results = await Promise.allSettled([find(['a']), find(['b'])]);
    assert.deepEqual(pluck(results, 'status'), ['rejected', 'rejected']);
    assert.equal((await find(['a'])).size, 0);
  });
});

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
      assert.deepEqual(pluck(results, 'status'), statuses);
    };
    await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(job), holds));
  });
});
