/**
 * Arbitrary requests to every operation: no response has a status of 500 or more, and the client of the tests
 * validates every response against openapi.json.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { ApiRequest } from './support/api.ts';
import {
  headersFor,
  jsonText,
  operations,
  queryFor,
  segment,
} from './support/description/arbitrary-requests.ts';
import { describeStorage } from './support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from './support/service.ts';
import { insertLoggedInUser } from './support/users.ts';

/** PostgreSQL has the same code in front of it. */
const RUNS = { sqlite: 6, postgres: 2 };

describeStorage('arbitrary requests', (engine) => {
  const service = useService(engine);
  const ids: string[] = [];
  const tokens: string[] = [ADMIN_TOKEN];

  before(async () => {
    for (let count = 0; count < 8; count++) {
      const { id, token } = await insertLoggedInUser(service.database);
      ids.push(id);
      tokens.push(token);
    }
  });

  // PostgreSQL cannot compare a text with U+0000: what is no id is not looked up.
  test('no operation fails when the last parameter of its path is U+0000', async () => {
    const failed: string[] = [];
    for (const { method, path } of operations.filter((each) => each.path.includes('{')))
      for (const token of tokens.slice(0, 2)) {
        const target = path.replace(/\{\w+\}(?=[^{}]*$)/, '%00').replace(/\{\w+\}/g, ids[0]!);
        const request = { token, headers: { 'if-match': '"1"' } };
        const bodies = method === 'GET' || method === 'DELETE' ? [undefined] : [undefined, { name: 'x' }];
        for (const body of bodies) {
          const { status } = await service.api.request(method, target, { ...request, body });
          if (status >= 500) failed.push(`${method} ${path}`);
        }
      }
    assert.deepEqual(failed, []);
  });

  for (const operation of operations) {
    const { method, path, hasId } = operation;
    test(`arbitrary requests to ${method} ${path} get a described response below 500`, async () => {
      const request = fc.record({
        id: segment(hasId ? ids : ['unused']),
        // Responses of streams that are accepted do not end.
        query: path.endsWith('/stream') ? fc.constant('cursor=invalid') : queryFor(operation),
        headers: headersFor(tokens),
        content:
          method === 'GET' ? fc.constant(undefined) : fc.option(jsonText(operation), { nil: undefined }),
      });
      await fc.assert(
        fc.asyncProperty(request, async ({ id, query, headers, content }) => {
          const target = `${path.replace(/\{\w+\}/, id)}${query && `?${query}`}`;
          const { status, text } = await service.api.request(method, target, createRequest(headers, content));
          assert.ok(status < 500, `${status} ${text}`);
        }),
        { numRuns: RUNS[engine] },
      );
    });
  }
});

function createRequest(headers: Record<string, string>, raw: string | Uint8Array | undefined): ApiRequest {
  return raw === undefined ? { headers } : { headers, raw };
}
