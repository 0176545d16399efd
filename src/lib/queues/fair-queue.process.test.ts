import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { FairQueue, type FairQueueOptions, QueueRejection } from './fair-queue.ts';
import type { QueueClient } from './queue-lanes.ts';

const OPTIONS = { slots: 1, places: 8, maxWaitMs: 2_000 };

const unknown = (network: string): QueueClient => ({ network, account: null });
const known = (account: string, network: string): QueueClient => ({ network, account });

/** The first letter of a name is the client; capital letters are known clients, each with a network of its own. */
const toClient = (name: string) => (name[0]! < 'a' ? known(name[0]!, name[0]!) : unknown(name[0]!));

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
    add(name: string, client = toClient(name)) {
      state.waiting.add(name);
      const work = () => {
        state.waiting.delete(name);
        state.running.add(name);
        state.started.push(name);
        return new Promise<void>((resolve) => finish.set(name, resolve));
      };
      queue.run(client, work).catch((error) => {
        if (!(error instanceof QueueRejection)) throw error;
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
    countWaiting: (client: string) => [...state.waiting].filter((name) => name.startsWith(client)).length,
  };
  return state;
}

/** Names of work of one client: a1, a2 … */
const names = (client: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${client}${index + 1}`);

/** The timers of the process: services that other files share in it would set and clear theirs in between. */
const describeWithTimers = (title: string, define: () => void) =>
  describe(title, () => {
    beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
    afterEach(() => mock.timers.reset());
    define();
  });

describeWithTimers('the fair queue', () => {
  test('the fair queue runs as much work at once as it has slots, and the rest in turn, one piece per client', async () => {
    const queue = openQueue({ slots: 2 });
    await queue.addAll('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1');
    assert.deepEqual(queue.started, ['a1', 'a2']);
    await queue.finishAll();
    assert.deepEqual(queue.started, ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2']);
  });

  test('the fair queue returns the result of the work, or passes its failure on and releases the slot', async () => {
    const queue = new FairQueue({ ...OPTIONS, clock: () => 0 });
    const failing = queue.run(toClient('a'), async () => assert.fail('on purpose'));
    const next = queue.run(toClient('a'), async () => 'done');
    await assert.rejects(failing, /on purpose/);
    assert.equal(await next, 'done');
    const thrown = queue.run(toClient('a'), () => {
      throw new Error('before the first await');
    });
    await assert.rejects(thrown, /before the first await/);
    assert.equal(await queue.run(toClient('b'), async () => 'again'), 'again');
  });

  test('the fair queue rejects the newest work of the client with the most places in favour of one with fewer', async () => {
    const queue = openQueue();
    await queue.addAll(...names('a', 9), 'b1', 'b2', 'c1');
    assert.deepEqual([...queue.rejected.keys()], ['a9', 'a8', 'a7']);
    await queue.finishAll();
    assert.deepEqual(queue.started.slice(0, 6), ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  const client = fc.constantFrom('a', 'b', 'c', 'd');
  const step = fc.oneof(client, client, fc.constant(null));

  test('the fair queue makes no work wait for more than one piece per client and piece of its own, at any load', async () => {
    const holds = async (steps: (string | null)[], slots: number, places: number) => {
      const queue = openQueue({ slots, places });
      const bounds = new Map<string, { position: number; startedBefore: number }>();
      let count = 0;
      for (const next of steps) {
        if (next === null) await queue.finishOne();
        else {
          const name = `${next}${count++}`;
          bounds.set(name, { position: queue.countWaiting(next), startedBefore: queue.started.length });
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

  test('the fair queue keeps to its places, and rejects work only when full, of the client with the most', async () => {
    const holds = async (steps: (string | null)[], slots: number, places: number) => {
      const queue = openQueue({ slots, places });
      for (const [index, next] of steps.entries()) {
        if (next === null) {
          await queue.finishOne();
          continue;
        }
        const name = `${next}${index}`;
        const before = [...queue.rejected.keys()];
        const own = queue.countWaiting(next);
        const most = Math.max(...['a', 'b', 'c', 'd'].map(queue.countWaiting));
        const isFull = queue.waiting.size === places;
        await queue.add(name);
        assert.ok(queue.running.size <= slots && queue.waiting.size <= places);
        const rejected = [...queue.rejected.keys()].slice(before.length);
        assert.equal(rejected.length, isFull ? 1 : 0);
        if (most > own + 1) for (const each of rejected) assert.equal(queue.countWaiting(each[0]!), most - 1);
        else assert.ok(rejected.every((each) => each === name));
      }
      await queue.finishAll();
    };
    const [slots, places] = [fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 12 })];
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60 }), slots, places, holds));
  });
});

describeWithTimers('known and unknown clients in the fair queue', () => {
  test('the fair queue makes room for a known client while unknown ones have more than half of the places', async () => {
    const queue = openQueue();
    await queue.addAll(...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((client) => `${client}1`));
    await queue.addAll('A1', 'B1', 'C1', 'D1', 'E1');
    assert.deepEqual([...queue.rejected.keys()], ['i1', 'h1', 'g1', 'f1', 'E1']);
  });

  test('the fair queue makes room for an unknown client while known ones have more than half of the places', async () => {
    const queue = openQueue({ places: 4 });
    await queue.addAll('z1', 'A1', 'B1', 'C1', 'D1', 'a1', 'b1', 'c1');
    assert.deepEqual([...queue.rejected.keys()], ['D1', 'C1', 'c1']);
  });

  test('the fair queue accepts a known client while unknown ones are rejected because they would wait too long', async () => {
    const queue = openQueue();
    await queue.learn(900);
    await queue.addAll('a1', 'b1', 'c1', 'd1', 'A1', 'B1');
    assert.deepEqual([...queue.rejected.keys()], ['d1', 'B1']);
    await queue.finishAll();
    assert.deepEqual(queue.started, ['a1', 'A1', 'b1', 'c1']);
  });

  test('the fair queue lets known and unknown clients wait for at most one piece of the other per own piece', async () => {
    const client = fc.constantFrom('a', 'b', 'c', 'A', 'B', null);
    const isKnown = (name: string) => toClient(name).account !== null;
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

describeWithTimers('networks and accounts in the fair queue', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

  test('the fair queue accepts 80 pieces of one network, half of known accounts, with 100 places and a wait of 0.9 s', async () => {
    const queue = openQueue({ slots: 2, places: 100 });
    await queue.learn(22);
    for (const number of numbers(40)) {
      await queue.add(`known ${number}`, known(`account ${number}`, 'school'));
      await queue.add(`new ${number}`, unknown('school'));
    }
    assert.equal(queue.rejected.size, 0);
    await queue.finishAll();
    assert.equal(queue.started.length, 80);
  });

  test('the fair queue counts the places of a network in both lanes when it rejects work', async () => {
    const queue = openQueue({ places: 8 });
    await queue.add('running', unknown('z'));
    for (const number of numbers(4)) await queue.add(`known ${number}`, known(`${number}`, 'school'));
    await queue.addAll('a1', 'a2', 'b1');
    await queue.add('new', unknown('school'));
    await queue.addAll('c1', 'A1');
    // First the network has five places, then four.
    assert.deepEqual([...queue.rejected.keys()], ['new', 'known 3']);
    await queue.add('known 4', known('4', 'school'));
    assert.deepEqual([...queue.rejected.keys()], ['new', 'known 3', 'known 4']);
  });

  test('the fair queue serves an account with work from 400 networks as one client', async () => {
    const queue = openQueue({ slots: 2, places: 100 });
    await queue.learn(20);
    for (const number of numbers(400)) await queue.add(`attack ${number}`, known('attacker', `${number}`));
    assert.equal(queue.waiting.size, 100);
    for (const number of numbers(20))
      await queue.add(`user ${number}`, known(`user ${number}`, `home ${number}`));
    await queue.add('new user', unknown('elsewhere'));
    assert.equal([...queue.rejected.keys()].filter((name) => !name.startsWith('attack')).length, 0);
    await queue.finishAll();
    const served = queue.started.filter((name) => !name.startsWith('attack'));
    assert.equal(served.length, 21);
    assert.ok(
      queue.started.indexOf(served.at(-1)!) < 26,
      'after at most one piece of the attacker, and the running ones',
    );
  });

  test('the fair queue rejects work of the largest network when that of another one would wait for too long', async () => {
    const queue = openQueue({ places: 100 });
    await queue.learn(400);
    for (const number of numbers(7)) await queue.add(`pupil ${number}`, known(`${number}`, 'school'));
    // One runs, and the sixth would wait for 2.4 s.
    assert.deepEqual([...queue.rejected.keys()], ['pupil 6']);
    await queue.add('user', known('user', 'home'));
    assert.deepEqual([...queue.rejected.keys()], ['pupil 6', 'pupil 5']);
    await queue.finishAll();
    assert.deepEqual(queue.started.slice(-2), ['pupil 4', 'user']);
  });
});

describeWithTimers('time limit of the fair queue', () => {
  test('the fair queue rejects work that has waited for two seconds, which frees its place and never starts', async () => {
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

  test('the fair queue does not start work that has waited for two seconds when timers are late', async () => {
    const queue = openQueue();
    await queue.addAll('a1', 'a2', 'b1');
    queue.now = 1_500;
    await queue.add('a3');
    queue.now = 2_500;
    await queue.finishOne();
    assert.deepEqual(queue.started, ['a1', 'a3']);
    assert.deepEqual([...queue.rejected.keys()], ['a2', 'b1']);
  });

  test('the fair queue rejects work at once that is expected to wait for more than two seconds, by the turn of its client', async () => {
    const queue = openQueue();
    await queue.learn(900);
    await queue.addAll('a1', 'a2', 'a3', 'a4', 'b1');
    assert.deepEqual([...queue.rejected.keys()], ['a4']);
    assert.equal(queue.rejected.get('a4')!.retryAfterSeconds, 3);
    await queue.finishAll();
    assert.deepEqual(queue.started, ['a1', 'a2', 'b1', 'a3']);
  });

  test('the fair queue follows the durations of the work, and accepts any number of pieces when they become short', async () => {
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

  test('the fair queue rejects with a retry time of at least one second', async () => {
    const queue = openQueue({ places: 1 });
    await queue.addAll('a1', 'a2', 'a3');
    assert.equal(queue.rejected.get('a3')!.retryAfterSeconds, 1);
  });
});
