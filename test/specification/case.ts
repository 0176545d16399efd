/** One line of what the API promises, and how it is held: the request, the whole answer, its headers. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ApiResponse } from '../support/api.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { register } from '../support/people.ts';
import { ADMIN_TOKEN, useService } from '../support/service.ts';

/** Is registered before the cases run. */
export const KNOWN = { name: 'Known Person', email: 'known@example.com', password: 'a known password' };

export interface Case {
  readonly shows: string;
  /** Method and path. */
  readonly request: `${string} /${string}`;
  readonly as?: 'known person' | 'administrator';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** In place of `body`: sent as JSON, as it is. */
  readonly raw?: string;
  readonly status: number;
  /** The body that comes back, with `<token>`, `<id>` and `<time>` for what differs every time. */
  readonly createdResources: unknown;
  /** Headers of the answer; null stands for one that must be absent. */
  readonly carries?: Readonly<Record<string, string | null>>;
}

/** Runs a table of cases on each engine, and every refusal once more as RFC 9457. */
export function holdCases(name: string, cases: readonly Case[]): void {
  describeOnEachEngine(name, (engine) => {
    const service = useService(engine);
    let knownToken = '';
    before(async () => {
      knownToken = (await register(service, KNOWN)).token;
    });
    const send = (line: Case, headers: Readonly<Record<string, string>> = {}) => {
      const [method, path] = line.request.split(' ', 2) as [string, string];
      const tokens = { 'known person': knownToken, administrator: ADMIN_TOKEN };
      return service.api.request(method, path, {
        ...(line.raw === undefined ? { body: line.body } : { raw: line.raw }),
        ...(line.as === undefined ? {} : { token: tokens[line.as] }),
        headers: {
          ...(line.raw === undefined ? {} : { 'content-type': 'application/json' }),
          ...line.headers,
          ...headers,
        },
      });
    };

    for (const line of cases) {
      test(`${line.request}: ${line.shows}`, async () => {
        const answer = await send(line);
        assert.equal(answer.status, line.status, answer.text);
        assert.deepEqual(masked(answer.body), line.createdResources);
        for (const [header, expected] of Object.entries(line.carries ?? {})) {
          assert.equal(masked(answer.headers.get(header)), expected, header);
        }
        assertStanding(answer);
        if (line.status >= 400 && line.headers?.accept === undefined) {
          assertProblemJson(await send(line, { accept: 'application/problem+json' }), answer);
        }
      });
    }
  });
}

/** Replaces what differs every time, wherever it stands. */
function masked(value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const text = JSON.stringify(value)
    .replace(/fd_pat_[0-9A-Za-z]{49}/g, '<token>')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>');
  return JSON.parse(text);
}

/** What holds for every answer. */
function assertStanding({ status, headers, body }: ApiResponse): void {
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

/** RFC 9457 section 3, with the plain body's `error` and `code` as extension members. */
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
