import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseTimestamp } from './parse-timestamp.ts';

describe('parseTimestamp', () => {
  for (const [text, expected] of [
    ['2026-01-31T12:00:00Z', Date.UTC(2026, 0, 31, 12)],
    ['2026-01-31t12:00:00.5z', Date.UTC(2026, 0, 31, 12, 0, 0, 500)],
    ['2026-01-31T12:00:00.123456789+02:00', Date.UTC(2026, 0, 31, 10, 0, 0, 123)],
    ['2026-01-31T00:00:00-00:30', Date.UTC(2026, 0, 31, 0, 30)],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
  ] as const) {
    test(`parseTimestamp accepts ${text} (RFC 3339)`, () => {
      assert.equal(parseTimestamp(text), expected);
    });
  }

  for (const text of [
    '',
    '2026-01-31',
    '2026-01-31T12:00:00',
    '2026-01-31 12:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T12:00:60Z',
    '2026-01-31T12:00:00+0200',
    '1769860800000',
    'yesterday',
  ]) {
    test(`parseTimestamp rejects "${text}"`, () => {
      assert.equal(parseTimestamp(text), undefined);
    });
  }
});
