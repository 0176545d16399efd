/** The route table is the security policy: it has no defaults. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import SerializerSelector from '@fastify/fast-json-stringify-compiler';
import { SHARED_SCHEMAS } from '../src/features/pages/documents/describe-api.ts';
import { startBareServer } from './support/bare-server.ts';
import { routes } from './support/routes.ts';

describe('the route table', () => {
  for (const { method, path, access, scope, schema } of routes) {
    test(`the route table states who may call ${method} ${path}`, () => {
      assert.ok(['public', 'optional', 'user', 'admin'].includes(access!));
      if (path.startsWith('/api/v1/admin/')) assert.equal(access, 'admin');
      if (scope !== undefined) assert.notEqual(access, 'public');
      if (method === 'GET') assert.equal(schema.body, undefined);
    });
  }

  test('the route table has responses that can be serialized, although serializers are compiled at the first response', () => {
    const shared = Object.fromEntries(SHARED_SCHEMAS.map((schema) => [schema.$id, schema]));
    const compile = SerializerSelector()(shared, {});
    for (const { method, path, schema } of routes) {
      for (const [httpStatus, response] of Object.entries(schema.response ?? {})) {
        const { content }: { content?: Record<string, { schema: object }> } = response;
        const schemas = content ? Object.values(content).map((media) => media.schema) : [response];
        for (const each of schemas)
          assert.equal(typeof compile({ method, url: path, httpStatus, schema: each }), 'function');
      }
    }
  });

  const incomplete = [
    [{}, /GET \/open does not state its access/],
    [{ access: 'admin' }, /GET \/open does not state the scope that an administrator's credential needs/],
    [{ access: 'admin', scope: 'self:read' }, /the scope that an administrator's credential needs/],
    [{ access: 'optional', scope: 'self:read' }, /the scope that an administrator's credential needs/],
  ] as const;
  test('a route that does not state its access, or the scope of administrators, is rejected at the start', async () => {
    for (const [config, message] of incomplete) {
      const server = await startBareServer({}, (app) => {
        app.get('/open', { config }, async () => 'by mistake');
      }).catch((error: Error) => error);
      assert.match((server as Error).message, message);
    }
  });

  test('the route table has each method of a path once', () => {
    const keys = routes.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
    assert.deepEqual(keys, [...new Set(keys)]);
  });
});
