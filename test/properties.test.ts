/**
 * Whatever is sent to whatever operation: the answer is never a failure of the service, and always one that
 * the description knows (the client of the tests holds every answer against it).
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { ApiRequest } from './support/api.ts';
import { headersFor, jsonText, operations, queryFor, segment } from './support/arbitrary-requests.ts';
import { describeOnEachEngine } from './support/engines.ts';
import { insertLoggedInUser } from './support/people.ts';
import { ADMIN_TOKEN, useService } from './support/service.ts';

const RUNS = 30;

describeOnEachEngine('every operation', (engine) => {
  const service = useService(engine);
  const ids: string[] = [];
  const tokens: string[] = [ADMIN_TOKEN];

  before(async () => {
    for (let count = 0; count < 8; count++) {
      const { id, token } = await insertLoggedInUser(service.service.database);
      ids.push(id);
      tokens.push(token);
    }
  });

  for (const operation of operations) {
    const { method, path, hasId } = operation;
    test(`${method} ${path} answers whatever is sent as it is described, and never fails`, async () => {
      const request = fc.record({
        id: segment(hasId ? ids : ['unused']),
        query: queryFor(operation),
        headers: headersFor(tokens),
        content:
          method === 'GET' ? fc.constant(undefined) : fc.option(jsonText(operation), { nil: undefined }),
      });
      await fc.assert(
        fc.asyncProperty(request, async ({ id, query, headers, content }) => {
          const address = `${path.replace('{id}', id)}${query && `?${query}`}`;
          const { status, text } = await service.api.request(method, address, requestOf(headers, content));
          assert.ok(status < 500, `${status} ${text}`);
        }),
        { numRuns: RUNS },
      );
    });
  }
});

function requestOf(headers: Record<string, string>, raw: string | Uint8Array | undefined): ApiRequest {
  return raw === undefined ? { headers } : { headers, raw };
}
