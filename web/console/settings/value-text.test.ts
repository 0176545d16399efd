import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Setting } from '../../common/api-types.ts';
import { explainValue, formatSeconds } from './value-text.ts';

const none = { choices: null, minimum: null, maximum: null, unit: null, can_be_off: true };
const explain = (value: string, format: Partial<NonNullable<Setting['format']>>, name = 'NAME') =>
  explainValue({ name, value, format: { kind: 'text', ...none, ...format } });

describe('values of settings', () => {
  test('a value of a setting is explained by its unit, its quota in words, and its choice', () => {
    assert.equal(explain('30', { kind: 'integer', unit: 'days' }), '30 days');
    assert.equal(explain('1', { kind: 'integer', unit: 'days' }), '1 day');
    assert.equal(
      explain('100000', { kind: 'integer', unit: 'records' }),
      `${(100_000).toLocaleString()} records`,
    );
    assert.equal(explain('off', { kind: 'integer', unit: 'records' }), 'no limit');
    assert.equal(explain('7/900', { kind: 'quota' }), '7 in 15 minutes');
    assert.equal(explain('true', { kind: 'switch', choices: ['true', 'false'] }), 'on');
    assert.equal(explain('admin', { kind: 'choice' }, 'USERS_CREATE'), 'Only administrators');
    assert.equal(explain('later', { kind: 'choice' }, 'USERS_CREATE'), 'later');
    assert.equal(explain('Ada', { kind: 'text' }), null);
    assert.equal(explainValue({ name: 'PORT', value: '3000', format: null }), null);
  });

  test('seconds are a whole number of the largest unit', () => {
    assert.deepEqual([60, 90, 3_600, 7_200, 86_400].map(formatSeconds), [
      '1 minute',
      '90 seconds',
      '1 hour',
      '2 hours',
      '1 day',
    ]);
  });
});
