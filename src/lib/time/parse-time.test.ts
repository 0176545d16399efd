import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseDateOrTime, parseTime } from './parse-time.ts';

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

describe('parseDateOrTime', () => {
  const times: [string, number][] = [
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['1969-12-31', -86_400_000],
    ['2024-02-29T12:30:00Z', Date.UTC(2024, 1, 29, 12, 30)],
    ['2024-02-29t14:30:00.5+02:00', Date.UTC(2024, 1, 29, 12, 30, 0, 500)],
  ];
  for (const [text, expected] of times) {
    test(`parseDateOrTime reads ${text}`, () => assert.equal(parseDateOrTime(text), expected));
  }

  for (const text of [
    '',
    '2024',
    '2024-02-30',
    '2024-2-9',
    ' 2024-02-29',
    '2024-02-29 12:30:00Z',
    '2024-02-29T12:30:00',
    '2024-02-29T12:30Z',
    '2024-02-29T25:00:00Z',
    '2024-02-29T12:30:00+0200',
    '1709210000',
  ]) {
    test(`parseDateOrTime rejects "${text}"`, () => assert.equal(parseDateOrTime(text), null));
  }
});
