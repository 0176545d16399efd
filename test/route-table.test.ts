/** The route table is the security policy: it has no defaults. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { routes } from './support/routes.ts';

describe('the route table', () => {
  for (const { method, path, access, summary, operationId, tag, responses, ...route } of routes) {
    test(`states access, summary, tag, parameters and responses of ${method} ${path}`, () => {
      assert.ok(['public', 'optional', 'user', 'admin'].includes(access));
      for (const text of [summary, operationId, tag]) assert.ok(text.length > 0);
      const statuses = Object.entries(responses);
      assert.ok(statuses.some(([status]) => /^[23]\d\d$/.test(status)));
      for (const [, { description }] of statuses) assert.ok(description.length > 0);
      assert.equal(/\{\w+\}/.test(path), route.params !== undefined, 'path parameters have a schema');
      if (path.startsWith('/api/v1/admin/')) assert.equal(access, 'admin');
      if (route.scope !== undefined) assert.notEqual(access, 'public');
      if (method === 'GET') assert.equal(route.body, undefined);
    });
  }

  test('has each method of a path once', () => {
    const keys = routes.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
    assert.deepEqual(keys, [...new Set(keys)]);
  });
});
