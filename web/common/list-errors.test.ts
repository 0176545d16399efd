import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listErrors } from './list-errors.ts';

test('the message of an error names the errors of all members instead of their number', () => {
  const errors = { name: ['The name field is required.'], email: ['The email field is required.'] };
  const all = 'The name field is required. The email field is required.';
  assert.equal(listErrors('The name field is required. (and 1 more error)', errors), all);
  assert.equal(listErrors('Not found', {}), 'Not found');
});
