import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../test/support/limits.ts';
import { describeStorage } from '../../test/support/runner/engines.ts';
import { useService } from '../../test/support/service.ts';
import { sql } from '../database/database.ts';
import type { Quota } from './gcra.ts';
import { createLimitStores } from './limit-stores.ts';

const COUNT = sql<{ count: number }>('select count(*) as count from rate_limits');

let keys = 0;
const newKey = () => [`key ${keys++}`];

describeStorage('the shared limit store', (engine) => {
  const service = useService(engine);
  const shared = () => createLimitStores(service.database, manualClock(), (key) => key).shared;
  const slow: Quota = { name: 'any', limit: 10, windowSeconds: 36_000 };

  test('the shared limit store admits exactly the quota of a hundred concurrent requests', async () => {
    const key = newKey();
    const store = shared();
    const decisions = await Promise.all(Array.from({ length: 100 }, async () => store.take(key, slow)));
    const allowed = decisions.filter((decision) => decision.allowed);
    assert.equal(allowed.length, 10);
    assert.deepEqual(allowed.map(({ remaining }) => remaining).sort(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const { retryAfterSeconds } of decisions.filter((decision) => !decision.allowed)) {
      assert.ok(retryAfterSeconds > 3590 && retryAfterSeconds <= 3600, String(retryAfterSeconds));
    }
  });

  test('the shared limit store peeks at a key without taking from its quota and without storing it', async () => {
    const store = shared();
    const key = newKey();
    const before = (await service.database.get(COUNT))!.count;
    assert.equal((await store.peek(key, slow)).remaining, 10);
    assert.equal((await service.database.get(COUNT))!.count, before);
    for (let left = 9; left >= 0; left--) {
      assert.equal((await store.take(key, slow)).remaining, left);
      for (let look = 0; look < 3; look++) {
        const { allowed, remaining } = await store.peek(key, slow);
        assert.deepEqual({ allowed, remaining }, { allowed: left > 0, remaining: left });
      }
    }
  });
});
