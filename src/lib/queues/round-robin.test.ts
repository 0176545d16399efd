import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { RoundRobin } from './queue-lanes.ts';

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
  test('round robin serves a key again after all others when it was empty in between', () => {
    const all = filled('a1', 'b1', 'b2');
    assert.equal(all.shift(), 'a1');
    all.push('a', 'a2');
    assert.deepEqual(drain(all), ['b1', 'a2', 'b2']);
  });

  test('round robin removes entries without changing the order of the others', () => {
    const all = filled('a1', 'a2', 'b1', 'a3', 'c1');
    assert.equal(all.remove('a', 'a1'), true);
    assert.equal(all.remove('a', 'unknown'), false);
    assert.equal(all.remove('b', 'b1'), true);
    assert.equal(all.remove('d', 'd1'), false);
    assert.equal(all.remove('a', 'a3'), true);
    assert.equal(all.size, 2);
    assert.deepEqual([...all], ['a2', 'c1']);
    assert.deepEqual(drain(all), ['a2', 'c1']);
    assert.equal(all.size, 0);
  });

  test('round robin finds the entries without each of which a new one is served one turn earlier', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd');
    const holds = (keys: string[], added: string) => {
      const entries = keys.map((each, index) => `${each}${index}`);
      const all = filled(...entries);
      const ahead = all.countAhead(added);
      const delaying = new Set(all.delaying(added));
      for (const entry of entries) {
        const without = filled(...entries.filter((each) => each !== entry));
        const isNewest = entry === entries.findLast((each) => each[0] === entry[0]);
        assert.equal(delaying.has(entry), isNewest && without.countAhead(added) < ahead);
      }
    };
    fc.assert(fc.property(fc.array(key, { maxLength: 12 }), key, holds));
  });

  test('round robin counts as many entries before a new one as are then served before it, for any entries', () => {
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
