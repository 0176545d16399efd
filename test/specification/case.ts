/** Runs the cases of the specification: a request, and the status, body and headers of its response. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ApiResponse } from '../support/api.ts';
import { describeOnSqlite } from '../support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../support/service.ts';
import { register } from '../support/users.ts';

/** The user that is registered before the cases run. */
export const KNOWN = { name: 'Known User', email: 'known@example.com', password: 'a known password' };

export interface Case {
  /** Continues the sentence "<method> <path> …", for the title of the test. */
  readonly behaviour: string;
  /** Method and path. */
  readonly request: `${string} /${string}`;
  readonly as?: 'user' | 'administrator';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Replaces `body`: sent unchanged as application/json. */
  readonly raw?: string;
  readonly status: number;
  /** The body of the response, with `<token>`, `<id>` and `<time>` for values that differ every time. */
  readonly responseBody: unknown;
  /** Headers of the response; null for one that must be absent. */
  readonly responseHeaders?: Readonly<Record<string, string | null>>;
}

/** Tests a table of cases, and every error response as an RFC 9457 problem as well. */
export function testCases(name: string, cases: readonly Case[]): void {
  describeOnSqlite(name, (engine) => {
    const service = useService(engine);
    let knownToken = '';
    before(async () => {
      knownToken = (await register(service, KNOWN)).token;
    });
    const send = (each: Case, headers: Readonly<Record<string, string>> = {}) => {
      const [method, path] = each.request.split(' ', 2) as [string, string];
      const tokens = { user: knownToken, administrator: ADMIN_TOKEN };
      return service.api.request(method, path, {
        ...(each.raw === undefined ? { body: each.body } : { raw: each.raw }),
        ...(each.as === undefined ? {} : { token: tokens[each.as] }),
        headers: {
          ...(each.raw === undefined ? {} : { 'content-type': 'application/json' }),
          ...each.headers,
          ...headers,
        },
      });
    };

    for (const each of cases) {
      test(`${each.request} ${each.behaviour} with ${each.status}`, async () => {
        const response = await send(each);
        assert.equal(response.status, each.status, response.text);
        assert.deepEqual(masked(response.body), each.responseBody);
        for (const [header, expected] of Object.entries(each.responseHeaders ?? {})) {
          assert.equal(masked(response.headers.get(header)), expected, header);
        }
        assertDefaultHeaders(response);
        if (each.status >= 400 && each.headers?.accept === undefined) {
          assertProblemJson(await send(each, { accept: 'application/problem+json' }), response);
        }
      });
    }
  });
}

/** Replaces values that differ every time, in any place. */
function masked(value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const text = JSON.stringify(value)
    .replace(/fd_pat_[0-9A-Za-z]{49}/g, '<token>')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>');
  return JSON.parse(text);
}

/** Asserts what every response has in common. */
function assertDefaultHeaders({ status, headers, body }: ApiResponse): void {
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.match(headers.get('x-request-id')!, /^[0-9a-f-]{36}$/);
  if (status >= 400) {
    assert.equal(typeof body.error, 'string');
    assert.match(body.code, /^[a-z_]+$/);
  }
  if (status === 401) assert.match(headers.get('www-authenticate')!, /^Bearer realm="/);
  if (status === 405) assert.match(headers.get('allow')!, /^[A-Z]+(, [A-Z]+)*$/);
}

/** Asserts an RFC 9457 problem with the `error` and `code` of the plain body as extension members. */
function assertProblemJson(problem: ApiResponse, plain: ApiResponse): void {
  assert.equal(problem.status, plain.status);
  assert.match(problem.headers.get('content-type')!, /^application\/problem\+json\b/);
  const { type, title, status, detail, instance, error, code } = problem.body;
  assert.equal(type, `/docs/problems#${plain.body.code}`);
  assert.equal(typeof title, 'string');
  assert.deepEqual(
    { status, detail, error, code },
    {
      status: plain.status,
      detail: plain.body.error,
      error: plain.body.error,
      code: plain.body.code,
    },
  );
  assert.equal(instance, `urn:uuid:${problem.headers.get('x-request-id')}`);
}
