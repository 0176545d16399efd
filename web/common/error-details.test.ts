import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listErrors, readRetryAfter } from './error-details.ts';

test('the message of an error names the errors of all members instead of their number', () => {
  const errors = { name: ['The name field is required.'], email: ['The email field is required.'] };
  const all = 'The name field is required. The email field is required.';
  assert.equal(listErrors('The name field is required. (and 1 more error)', errors), all);
  assert.equal(listErrors('Not found', {}), 'Not found');
});

const NOW = Date.UTC(2026, 0, 1);

describe('Retry-After', () => {
  for (const [value, seconds] of [
    ['120', 120],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:01:30 GMT', 90],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', null],
    ['', null],
    [null, null],
  ] as const)
    test(`a Retry-After of ${JSON.stringify(value)} is read as ${seconds} seconds`, () => {
      assert.equal(readRetryAfter(value, NOW), seconds);
    });
});
