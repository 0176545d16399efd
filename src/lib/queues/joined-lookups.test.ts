import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { joinLookups } from './shared-work.ts';

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
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal((await find(['a'])).size, 0);
  });
});
