import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cacheUntilCommit } from './cache-until-commit.ts';

/** Creates a cache of the stored values with a version, and counts the reads. */
function createCache(maxValues?: number) {
  const store = { version: 1, value: { name: 'old' } as { name: string } | undefined, reads: 0 };
  const find = cacheUntilCommit(
    { readVersion: () => store.version },
    async () => {
      store.reads++;
      return store.value;
    },
    maxValues,
  );
  return { store, find };
}

describe('cacheUntilCommit', () => {
  test('cacheUntilCommit reads a value once until the version changes', async () => {
    const { store, find } = createCache();
    for (let call = 0; call < 3; call++) assert.deepEqual(await find('key'), { name: 'old' });
    assert.equal(store.reads, 1);
    store.version++;
    store.value = undefined;
    assert.equal(await find('key'), undefined);
  });

  test('cacheUntilCommit reads an absent value each time', async () => {
    const { store, find } = createCache();
    store.value = undefined;
    await find('key');
    await find('key');
    assert.equal(store.reads, 2);
  });

  test('cacheUntilCommit does not keep a value that was read before a commit that another call has noticed', async () => {
    const { store, find } = createCache();
    const early = find('key');
    store.version++;
    store.value = undefined;
    await find('other key');
    assert.deepEqual(await early, { name: 'old' });
    assert.equal(await find('key'), undefined);
  });

  test('cacheUntilCommit keeps at most 2,000 values, or as many as its caller says', async () => {
    for (const [maximum, given] of [[2_000], [20, 20]] as const) {
      const { store, find } = createCache(given);
      for (let key = 0; key < maximum; key++) await find(`${key}`);
      assert.equal(store.reads, maximum);
      await find('0');
      assert.equal(store.reads, maximum + 1);
    }
  });

  test('cacheUntilCommit keeps nothing if the database has no version', async () => {
    let reads = 0;
    const find = cacheUntilCommit({ readVersion: null }, async () => ({ reads: ++reads }));
    await find('key');
    assert.deepEqual(await find('key'), { reads: 2 });
  });
});
