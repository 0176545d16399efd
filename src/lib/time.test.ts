import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { DAY, formatTimestamp, parseDate, parseTime, parseTimestamp, toDayNumber } from './time.ts';

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
});

describe('parsing of times in an import', () => {
  const same = [
    '2024-02-29T12:30:00Z',
    '2024-02-29 12:30:00',
    '2024-02-29T14:30:00.000+02:00',
    '2024-02-29 12:30:00.000999+00',
    '2024-02-29 07:00:00-0530',
    '2024-02-29 12:30:00 UTC',
  ];
  for (const text of same) {
    test(`the import reads the time ${text} as RFC 3339, in UTC without a zone`, () => {
      assert.equal(parseTime(text), Date.UTC(2024, 1, 29, 12, 30));
    });
  }

  for (const text of [
    '',
    '1709209800',
    '2024-02-30T12:30:00Z',
    '2023-02-29 00:00:00',
    '2024-02-29',
    '2024-02-29T24:00:01Z',
    '2024-02-29 12:30:00+25:00',
  ]) {
    test(`the import rejects the time "${text}"`, () => assert.equal(parseTime(text), null));
  }
});

describe('parseDate and parseTimestamp', () => {
  for (const [text, expected] of [
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['1969-12-31', -86_400_000],
  ] as const)
    test(`parseDate accepts ${text}`, () => assert.equal(parseDate(text), expected));

  for (const [text, expected] of [
    ['2026-01-31T12:00:00Z', Date.UTC(2026, 0, 31, 12)],
    ['2026-01-31t12:00:00.5z', Date.UTC(2026, 0, 31, 12, 0, 0, 500)],
    ['2026-01-31T12:00:00.123456789+02:00', Date.UTC(2026, 0, 31, 10, 0, 0, 123)],
    ['2026-01-31T00:00:00-00:30', Date.UTC(2026, 0, 31, 0, 30)],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['9999-12-31T23:59:59.999Z', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
  ] as const)
    test(`parseTimestamp accepts ${text} (RFC 3339)`, () => assert.equal(parseTimestamp(text), expected));

  for (const text of [
    '',
    '2024',
    '2024-02-30',
    '2024-2-9',
    ' 2024-02-29',
    '2026-01-31 12:00:00Z',
    '2026-01-31T12:00:00',
    '2026-01-31T12:00Z',
    '2026-02-29T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T12:00:60Z',
    '2026-01-31T12:00:00+0200',
    '2026-01-31T12:00:00+24:00',
    '9999-12-31T23:59:59-00:01',
    '0000-01-01T00:00:00+00:01',
    '1769860800000',
    'yesterday',
  ])
    test(`parseDate and parseTimestamp reject "${text}"`, () =>
      assert.deepEqual([parseDate(text), parseTimestamp(text)], [null, null]));
});
