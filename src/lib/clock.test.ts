import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { DAY, formatTimestamp, HOUR, MINUTE, toDayNumber } from './time.ts';

const moment = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) });

describe('the clock', () => {
  test('the clock formats times as RFC 3339 in UTC with milliseconds, which parse to the same time', () => {
    assert.equal(formatTimestamp(0), '1970-01-01T00:00:00.000Z');
    assert.equal(formatTimestamp(Date.UTC(2026, 1, 28, 23, 59, 59, 999)), '2026-02-28T23:59:59.999Z');
    fc.assert(
      fc.property(moment, (milliseconds) => {
        assert.match(formatTimestamp(milliseconds), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        assert.equal(Date.parse(formatTimestamp(milliseconds)), milliseconds);
      }),
    );
  });

  test('the clock changes the day number at midnight UTC only', () => {
    fc.assert(
      fc.property(moment, (milliseconds) => {
        const midnight = Date.parse(`${formatTimestamp(milliseconds).slice(0, 10)}T00:00:00.000Z`);
        assert.equal(toDayNumber(milliseconds), midnight / 86_400_000);
        assert.equal(toDayNumber(midnight - 1), toDayNumber(milliseconds) - 1);
        assert.equal(toDayNumber(midnight + DAY - 1), toDayNumber(milliseconds));
      }),
    );
  });

  test('the clock measures minutes, hours and days in milliseconds', () => {
    assert.deepEqual([MINUTE, HOUR, DAY], [60_000, 3_600_000, 86_400_000]);
  });
});
