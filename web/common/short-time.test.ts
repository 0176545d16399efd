import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatShortTime } from './short-time.ts';

describe('short times', () => {
  const now = new Date(2026, 0, 2, 9, 30);
  const format = (...parts: [number, number, number, number?, number?]) =>
    formatShortTime(new Date(...parts).toISOString(), now, 'en');

  test('short times of today have the time of day, and those of yesterday are called so, also across the year', () => {
    assert.match(format(2026, 0, 2, 0, 5), /^Today, 12:05\sAM$/);
    assert.equal(format(2026, 0, 1, 23, 59), 'Yesterday');
    assert.equal(
      formatShortTime(new Date(2025, 11, 31).toISOString(), new Date(2026, 0, 1), 'en'),
      'Yesterday',
    );
  });

  test('short times of other days have the year only if it is not the present one', () => {
    assert.equal(format(2026, 5, 9), 'Jun 9');
    assert.equal(format(2025, 11, 30), 'Dec 30, 2025');
  });
});
