/** The table of routes is the security policy: nothing in it is left to a default. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { routes } from './support/routes.ts';

describe('the table of routes', () => {
  for (const { method, path, access, summary, operationId, tag, responses, ...route } of routes) {
    test(`says of ${method} ${path} who may call, what it is for and what it answers`, () => {
      assert.ok(['public', 'optional', 'user', 'admin'].includes(access));
      for (const text of [summary, operationId, tag]) assert.ok(text.length > 0);
      const statuses = Object.entries(responses);
      assert.ok(statuses.some(([status]) => /^2\d\d$/.test(status)));
      for (const [, { description }] of statuses) assert.ok(description.length > 0);
      assert.equal(/\{\w+\}/.test(path), route.params !== undefined, 'parameters have a schema');
      if (path.startsWith('/api/v1/admin/')) assert.equal(access, 'admin');
      if (route.scope !== undefined) assert.notEqual(access, 'public');
      if (method === 'GET') assert.equal(route.body, undefined);
    });
  }

  test('has every method of a path once', () => {
    const keys = routes.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
    assert.deepEqual(keys, [...new Set(keys)]);
  });
});
