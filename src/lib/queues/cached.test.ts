import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cached } from './shared-work.ts';

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
