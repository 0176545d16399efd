import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  createQueryValidator,
  cursorParameter,
  dateOrTimeParameter,
  limitParameter,
  toTime,
} from './query-parameters.ts';

const validate = createQueryValidator({
  type: 'object',
  required: ['kind'],
  properties: {
    limit: limitParameter,
    cursor: cursorParameter,
    kind: { type: 'string', enum: ['a', 'b'] },
    from: dateOrTimeParameter('From.'),
  },
});
const valid = { kind: 'a' };

describe('validation of queries', () => {
  test('validation of a query returns the parameters that the schema names, and integers as numbers', () => {
    const query = { ...valid, limit: '020', from: '2026-01-31', other: 'x', constructor: ['y', 'z'] };
    assert.deepEqual(validate(query), { kind: 'a', limit: 20, from: '2026-01-31' });
    assert.equal(validate({ ...valid, limit: '9'.repeat(400) }).limit, Number.MAX_SAFE_INTEGER);
  });

  for (const limit of ['', '-1', '+1', '1.0', '1e2', ' 1', '1 ', '0x10', '١', 'ten', 'NaN', ['1', '1']]) {
    test(`validation of a query rejects the integer ${JSON.stringify(limit)} with invalid_limit`, () => {
      assert.throws(() => validate({ ...valid, limit }), { code: 'invalid_limit', status: 400 });
    });
  }

  test('validation of a query accepts digits only as an integer, whatever the text is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.bigInt().map(String)), (limit) => {
        if (/^[0-9]+$/.test(limit)) assert.ok(Number.isSafeInteger(validate({ ...valid, limit }).limit));
        else assert.throws(() => validate({ ...valid, limit }), { code: 'invalid_limit' });
      }),
    );
  });

  const refused: [query: object, code: string, text: string][] = [
    [{ ...valid, cursor: '' }, 'invalid_cursor', 'cursor is invalid'],
    [{ ...valid, cursor: ['a', 'a'] }, 'invalid_cursor', 'cursor is invalid'],
    [{}, 'invalid_filter', 'kind must be one of a, b'],
    [{ kind: 'c' }, 'invalid_filter', 'kind must be one of a, b'],
    [{ kind: ['a', 'a'] }, 'invalid_filter', 'kind must be one of a, b'],
    [{ ...valid, from: ['2026-01-31', '2026-01-31'] }, 'invalid_filter', 'from must be given once'],
    [
      { ...valid, from: '2026-02-30' },
      'invalid_filter',
      'from must be a date (2026-01-31) or an RFC 3339 timestamp (2026-01-31T09:30:00Z)',
    ],
  ];
  for (const [query, code, text] of refused) {
    test(`validation of a query rejects ${JSON.stringify(query)} with ${code} and a text that names the parameter`, () => {
      assert.throws(() => validate(query), { code, text });
    });
  }

  test('the value of a time parameter is that of the time or of the start of the date in UTC', () => {
    const times = [undefined, '2026-01-31', '2026-01-31T01:00:00+01:00'].map(toTime);
    assert.deepEqual(times, [null, Date.UTC(2026, 0, 31), Date.UTC(2026, 0, 31)]);
  });
});
