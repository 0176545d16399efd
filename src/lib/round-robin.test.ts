import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { RoundRobin } from './round-robin.ts';

/** Adds `a1` to the key `a`, and so on. */
function filled(...entries: string[]) {
  const all = new RoundRobin<string>();
  for (const entry of entries) all.push(entry[0]!, entry);
  return all;
}

/** Removes all entries and returns them in the order in which they are served. */
function drain(all: RoundRobin<string>): string[] {
  const served: string[] = [];
  for (let next = all.shift(); next !== undefined; next = all.shift()) served.push(next);
  return served;
}

describe('round robin', () => {
  test('serves one entry of each key in turn, the oldest first', () => {
    assert.deepEqual(drain(filled('a1', 'a2', 'a3', 'b1', 'c1', 'b2')), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  test('serves a key again after all others when it was empty in between', () => {
    const all = filled('a1', 'b1', 'b2');
    assert.equal(all.shift(), 'a1');
    all.push('a', 'a2');
    assert.deepEqual(drain(all), ['b1', 'a2', 'b2']);
  });

  test('removes entries without changing the order of the others', () => {
    const all = filled('a1', 'a2', 'b1', 'a3', 'c1');
    all.remove('a', 'a1');
    all.remove('a', 'unknown');
    all.remove('b', 'b1');
    all.remove('d', 'd1');
    assert.equal(all.pop('a'), 'a3');
    assert.equal(all.pop('d'), undefined);
    assert.equal(all.size, 2);
    assert.deepEqual(drain(all), ['a2', 'c1']);
    assert.equal(all.size, 0);
  });

  test('finds the key with the most entries, and of several the one that is served last', () => {
    assert.equal(filled().largest(), undefined);
    assert.equal(filled('a1', 'b1', 'b2', 'c1').largest(), 'b');
    assert.equal(filled('a1', 'b1', 'c1').largest(), 'c');
  });

  test('counts as many entries before a new one as are then served before it, for any entries', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd');
    const holds = (keys: string[], served: number, added: string) => {
      const all = filled(...keys);
      for (let count = 0; count < served; count++) all.shift();
      const expected = all.countAhead(added);
      all.push(added, 'new');
      assert.equal(drain(all).indexOf('new'), expected);
    };
    fc.assert(fc.property(fc.array(key), fc.nat(5), key, holds));
  });
});
