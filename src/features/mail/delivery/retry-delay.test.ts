import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HOUR, MINUTE } from '../../../lib/time.ts';
import { retryDelay } from './retry-delay.ts';

describe('retryDelay', () => {
  test('retryDelay doubles from one minute to one hour', () => {
    const minutes = Array.from({ length: 9 }, (_, index) => retryDelay(index + 1, 0.5) / MINUTE);
    assert.deepEqual(minutes, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
    assert.equal(retryDelay(5_000, 0.5), HOUR);
  });

  test('retryDelay varies by a fifth', () => {
    assert.equal(retryDelay(1, 0), 0.8 * MINUTE);
    assert.equal(retryDelay(1, 1), 1.2 * MINUTE);
  });
});
