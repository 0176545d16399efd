import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRole } from './scopes.ts';

test('the console recognises a role by its scopes in any order', () => {
  assert.equal(findRole(['links:send', 'users:read', 'tokens:write']), 'support');
  assert.equal(findRole(['links:send']), undefined);
});
