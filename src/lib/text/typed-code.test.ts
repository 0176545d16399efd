import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeTypedCode } from './text.ts';

for (const typed of [
  '123456',
  ' 123 456 ',
  '123-456',
  '123–456',
  '123\u2212456',
  '１２３\u3000４５６',
  '123\u200b456',
])
  test(`a code that is typed as ${JSON.stringify(typed)} is 123456`, () =>
    assert.equal(normalizeTypedCode(typed), '123456'));

test('a code of letters is compared in upper case', () =>
  assert.equal(normalizeTypedCode('abcd－efgh'), 'ABCDEFGH'));
