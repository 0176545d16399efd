import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseTime } from './parse-time.ts';

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
