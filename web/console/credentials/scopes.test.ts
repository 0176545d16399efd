import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROLES as SERVICE_ROLES } from '../../../src/callers/admin-scopes.ts';
import { findRole, ROLES } from './scopes.ts';

test('the console offers the same roles as the command, and recognises them by their scopes', () => {
  assert.deepEqual(ROLES, SERVICE_ROLES);
  assert.equal(findRole(['links:send', 'users:read', 'tokens:write']), 'support');
  assert.equal(findRole(['links:send']), undefined);
});
