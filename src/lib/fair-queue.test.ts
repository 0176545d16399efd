import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { FairQueue, type FairQueueOptions, QueueRejection } from './fair-queue.ts';

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => mock.timers.reset());

const OPTIONS = { slots: 1, places: 8, maxWaitMs: 2_000 };

/** The first letter of a name is the client; capital letters are known clients. */
const clientOf = (name: string) => ({ name: name[0]!, isKnown: name[0]! < 'a' });

/** A queue with a clock and work that only the test moves on. */
function openQueue(options: Partial<FairQueueOptions> = {}) {
  const queue = new FairQueue({ ...OPTIONS, clock: () => state.now, ...options });
  const finish = new Map<string, () => void>();
  const state = {
    now: 0,
    started: [] as string[],
    running: new Set<string>(),
    waiting: new Set<string>(),
    rejected: new Map<string, QueueRejection>(),
    add(name: string) {
      state.waiting.add(name);
      const work = () => {
        state.waiting.delete(name);
        state.running.add(name);
        state.started.push(name);
        return new Promise<void>((resolve) => finish.set(name, resolve));
      };
      queue.run(clientOf(name), work).catch((error) => {
        assert.ok(error instanceof QueueRejection);
        state.waiting.delete(name);
        state.rejected.set(name, error);
      });
      return nextTurn();
    },
    async addAll(...names: string[]) {
      for (const name of names) await state.add(name);
    },
    pass(milliseconds: number) {
      state.now += milliseconds;
      mock.timers.tick(milliseconds);
      return nextTurn();
    },
    /** Finishes the work that has run for longest. */
    async finishOne() {
      const [name] = state.running;
      if (name === undefined) return;
      state.running.delete(name);
      finish.get(name)!();
      await nextTurn();
    },
    async finishAll() {
      while (state.running.size > 0) await state.finishOne();
    },
    /** Runs work of this duration until the average has come near it. */
    async learn(milliseconds: number) {
      for (let count = 0; count < 50; count++) {
        await state.add('z');
        state.now += milliseconds;
        await state.finishOne();
      }
      state.started.length = 0;
    },
    waitingOf: (client: string) => [...state.waiting].filter((name) => name.startsWith(client)).length,
  };
  return state;
}

/** Names of work of one client: a1, a2 … */
const names = (client: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${client}${index + 1}`);

describe('fair queue', () => {
  test('runs as much work at once as it has slots, and the rest in turn, one piece per client', async () => {
    const queue = openQueue({ slots: 2 });
    await queue.addAll('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1');
    assert.deepEqual(queue.started, ['a1', 'a2']);
    await queue.finishAll();
    assert.deepEqual(queue.started, ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2']);
  });

  test('returns the result of the work, and passes its failure and the slot on', async () => {
    const queue = new FairQueue({ ...OPTIONS, clock: () => 0 });
    const failing = queue.run(clientOf('a'), async () => assert.fail('on purpose'));
    const next = queue.run(clientOf('a'), async () => 'done');
    await assert.rejects(failing, /on purpose/);
    assert.equal(await next, 'done');
    const thrown = queue.run(clientOf('a'), () => {
      throw new Error('before the first await');
    });
    await assert.rejects(thrown, /before the first await/);
    assert.equal(await queue.run(clientOf('b'), async () => 'again'), 'again');
  });

  test('lets a client have all places while nobody else waits', async () => {
    const queue = openQueue();
    await queue.addAll(...names('a', 10));
    assert.deepEqual([...queue.rejected.keys()], ['a10']);
    assert.equal(queue.waiting.size, 8);
  });

  test('rejects the newest work of the client with the most places in favour of a client with fewer', async () => {
    const queue = openQueue();
    await queue.addAll(...names('a', 9), 'b1', 'b2', 'c1');
    assert.deepEqual([...queue.rejected.keys()], ['a9', 'a8', 'a7']);
    await queue.finishAll();
    assert.deepEqual(queue.started.slice(0, 6), ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  test('gives a client at most a quarter of the places while others wait', async () => {
    const queue = openQueue();
    await queue.addAll('a1', 'a2', 'b1', 'b2', 'b3', 'a3', 'a4');
    assert.deepEqual([...queue.rejected.keys()], ['b3', 'a4']);
  });

  test('rejects work that would only take the place of a client with as few', async () => {
    const queue = openQueue({ places: 2 });
    await queue.addAll('a1', 'b1', 'c1', 'd1');
    assert.deepEqual([...queue.rejected.keys()], ['d1']);
  });

  test('starts no work for clients whose work was rejected, and keeps no place for it', async () => {
    const queue = openQueue({ places: 2 });
    await queue.addAll('a1', 'a2', 'a3', 'b1');
    await queue.finishAll();
    assert.deepEqual(queue.started, ['a1', 'a2', 'b1']);
    await queue.addAll('c1', 'c2', 'c3');
    assert.deepEqual([...queue.rejected.keys()], ['a3']);
  });

  const client = fc.constantFrom('a', 'b', 'c', 'd');
  const step = fc.oneof(client, client, fc.constant(null));

  test('makes no work wait for more than one piece of each other client per piece of its own, at any load', async () => {
    const holds = async (steps: (string | null)[], slots: number, places: number) => {
      const queue = openQueue({ slots, places });
      const bounds = new Map<string, { position: number; startedBefore: number }>();
      let count = 0;
      for (const next of steps) {
        if (next === null) await queue.finishOne();
        else {
          const name = `${next}${count++}`;
          bounds.set(name, { position: queue.waitingOf(next), startedBefore: queue.started.length });
          await queue.add(name);
        }
      }
      await queue.finishAll();
      for (const [name, { position, startedBefore }] of bounds) {
        const end = queue.started.indexOf(name);
        const before = queue.started.slice(startedBefore, Math.max(startedBefore, end));
        for (const other of ['a', 'b', 'c', 'd'].filter((letter) => !name.startsWith(letter))) {
          assert.ok(before.filter((each) => each.startsWith(other)).length <= position + 1);
        }
      }
      assert.equal(queue.started.length + queue.rejected.size, count);
    };
    const [slots, places] = [fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 12 })];
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60 }), slots, places, holds));
  });

  test('keeps to its places and the shares of the clients, and rejects nothing else, at any load', async () => {
    const holds = async (steps: (string | null)[], slots: number, places: number) => {
      const queue = openQueue({ slots, places });
      const share = Math.max(1, Math.floor(places / 4));
      for (const [index, next] of steps.entries()) {
        if (next === null) {
          await queue.finishOne();
          continue;
        }
        const name = `${next}${index}`;
        const own = queue.waitingOf(next);
        const counts = ['a', 'b', 'c', 'd'].map(queue.waitingOf);
        const [all, most] = [queue.waiting.size, Math.max(...counts)];
        await queue.add(name);
        assert.ok(queue.running.size <= slots && queue.waiting.size <= places);
        const isOverShare = own >= share && own < all;
        const isFull = all === places && most <= own + 1;
        const isStarted = queue.running.has(name);
        assert.equal(queue.rejected.has(name), !isStarted && (isOverShare || isFull));
      }
      await queue.finishAll();
    };
    const [slots, places] = [fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 12 })];
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60 }), slots, places, holds));
  });
});

describe('known and unknown clients in the fair queue', () => {
  test('serves both in turn, however many unknown clients wait', async () => {
    const queue = openQueue();
    await queue.addAll('a1', 'b1', 'c1', 'd1', 'e1', 'A1', 'A2', 'B1');
    await queue.finishAll();
    assert.deepEqual(queue.started, ['a1', 'A1', 'b1', 'B1', 'c1', 'A2', 'd1', 'e1']);
  });

  test('makes room for a known client while unknown ones have more than half of the places', async () => {
    const queue = openQueue();
    await queue.addAll(...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((client) => `${client}1`));
    await queue.addAll('A1', 'B1', 'C1', 'D1', 'E1');
    assert.deepEqual([...queue.rejected.keys()], ['i1', 'h1', 'g1', 'f1', 'E1']);
  });

  test('makes room for an unknown client while known ones have more than half of the places', async () => {
    const queue = openQueue({ places: 4 });
    await queue.addAll('z1', 'A1', 'B1', 'C1', 'D1', 'a1', 'b1', 'c1');
    assert.deepEqual([...queue.rejected.keys()], ['D1', 'C1', 'c1']);
  });

  test('accepts a known client while unknown ones are rejected because they would wait for too long', async () => {
    const queue = openQueue();
    await queue.learn(900);
    await queue.addAll('a1', 'b1', 'c1', 'd1', 'A1', 'B1');
    assert.deepEqual([...queue.rejected.keys()], ['d1', 'B1']);
    await queue.finishAll();
    assert.deepEqual(queue.started, ['a1', 'A1', 'b1', 'c1']);
  });

  test('keeps neither waiting for more than one piece of the other per piece of its own, at any load', async () => {
    const client = fc.constantFrom('a', 'b', 'c', 'A', 'B', null);
    const isKnown = (name: string) => clientOf(name).isKnown;
    const holds = async (steps: (string | null)[]) => {
      const queue = openQueue({ slots: 1, places: 12 });
      for (const [index, next] of steps.entries()) {
        if (next === null) await queue.finishOne();
        else await queue.add(`${next}${index}`);
      }
      const waiting = [...queue.waiting];
      const servedBefore = queue.started.length;
      await queue.finishAll();
      const served = queue.started.slice(servedBefore);
      assert.equal(served.length, waiting.length);
      for (const [index, name] of served.entries()) {
        const sinceOwn = served.slice(0, index).findLastIndex((other) => isKnown(other) === isKnown(name));
        assert.ok(index - sinceOwn <= 2);
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(client, { maxLength: 40 }), holds));
  });
});

describe('time limit of the fair queue', () => {
  test('rejects work that has waited for two seconds, which frees its place and never starts', async () => {
    const queue = openQueue({ places: 2 });
    await queue.addAll('a1', 'a2', 'a3');
    await queue.pass(1_999);
    assert.equal(queue.rejected.size, 0);
    await queue.pass(1);
    assert.deepEqual([...queue.rejected.keys()], ['a2', 'a3']);
    await queue.addAll('b1', 'b2');
    await queue.finishAll();
    assert.deepEqual(queue.started, ['a1', 'b1', 'b2']);
  });

  test('does not start work that has waited for two seconds when timers are late', async () => {
    const queue = openQueue();
    await queue.addAll('a1', 'a2', 'b1');
    queue.now = 1_500;
    await queue.add('a3');
    queue.now = 2_500;
    await queue.finishOne();
    assert.deepEqual(queue.started, ['a1', 'a3']);
    assert.deepEqual([...queue.rejected.keys()], ['a2', 'b1']);
  });

  test('rejects work at once that is expected to wait for more than two seconds', async () => {
    const queue = openQueue();
    await queue.learn(900);
    await queue.addAll('a1', 'a2', 'a3', 'a4');
    assert.deepEqual([...queue.rejected.keys()], ['a4']);
    assert.equal(queue.rejected.get('a4')!.retryAfterSeconds, 3);
  });

  test('accepts work of a client whose turn comes sooner than the end of the queue', async () => {
    const queue = openQueue();
    await queue.learn(900);
    await queue.addAll('a1', 'a2', 'a3', 'a4', 'b1');
    assert.deepEqual([...queue.rejected.keys()], ['a4']);
    await queue.finishAll();
    assert.deepEqual(queue.started, ['a1', 'a2', 'b1', 'a3']);
  });

  test('expects half the wait from twice the slots', async () => {
    const queue = openQueue({ slots: 2 });
    await queue.learn(900);
    await queue.addAll(...names('a', 7));
    assert.deepEqual([...queue.rejected.keys()], ['a7']);
  });

  test('follows the durations of the work, and accepts any number of pieces when they become short', async () => {
    const queue = openQueue();
    await queue.learn(5_000);
    await queue.addAll('a1', 'a2');
    assert.deepEqual([...queue.rejected.keys()], ['a2']);
    assert.equal(queue.rejected.get('a2')!.retryAfterSeconds, 5);
    await queue.finishAll();
    await queue.learn(10);
    await queue.addAll(...names('b', 9));
    assert.equal(queue.waiting.size, 8);
  });

  test('names at least one second for the retry', async () => {
    const queue = openQueue({ places: 1 });
    await queue.addAll('a1', 'a2', 'a3');
    assert.equal(queue.rejected.get('a3')!.retryAfterSeconds, 1);
  });
});
