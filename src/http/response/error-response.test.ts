import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { describeOnEachEngine } from '../../../test/support/engines.ts';
import { newPerson, startService } from '../../../test/support/service.ts';
import { DatabaseUnavailable, sql, UniqueViolation } from '../../database/database.ts';
import { PasswordsUnavailable } from '../../lib/passwords.ts';
import { newToken } from '../../lib/tokens.ts';
import { Problem } from '../../problems.ts';
import { toProblem } from './error-response.ts';

describe('what was thrown', () => {
  test('stays what it is when it is a problem', () => {
    const problem = new Problem('forbidden');
    assert.equal(toProblem(problem), problem);
  });

  test('is a 503 with a time to come back where waiting helps', () => {
    for (const error of [new DatabaseUnavailable(new Error('gone')), new PasswordsUnavailable('full')]) {
      const problem = toProblem(error);
      assert.deepEqual([problem.code, problem.status], ['service_unavailable', 503]);
      assert.equal(problem.options.retryAfterSeconds, 1);
      assert.equal(problem.options.cause, error);
    }
  });

  test('is a 500 without its own words when nobody expected it', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string({ minLength: 1 }), (thrown, text) => {
        for (const error of [thrown, new Error(text), new UniqueViolation(new Error(text))]) {
          const problem = toProblem(error);
          assert.deepEqual([problem.code, problem.status], ['internal_error', 500]);
          assert.equal(problem.text, 'Internal Server Error');
          assert.deepEqual(problem.options.headers ?? {}, {});
          assert.ok(Object.is(problem.options.cause, error));
        }
      }),
    );
  });
});

describeOnEachEngine('an unexpected failure', (engine) => {
  test('is a 500 without detail, and the log has the detail under the request id', async (context) => {
    const { api, service, log, stop } = await startService(engine);
    context.after(stop);
    await service.database.transaction((tx) => tx.run(sql('alter table tokens rename to tokens_away')));
    for (const accept of ['application/json', 'application/problem+json']) {
      const id = `failing-${accept.length}`;
      const answer = await api.get('/api/v1/me', {
        token: newToken(),
        headers: { 'x-request-id': id, accept },
      });
      assert.equal(answer.status, 500);
      assert.deepEqual([answer.body.error, answer.body.code], ['Internal Server Error', 'internal_error']);
      assert.doesNotMatch(answer.text, /tokens|relation|sql|\bat \//i);
      const line = log.find(({ request_id, level }) => request_id === id && level === 50);
      assert.match(JSON.stringify(line), /tokens/);
    }
    const plain = await api.get('/api/v1/me', { token: newToken() });
    assert.deepEqual(plain.body, { error: 'Internal Server Error', code: 'internal_error' });
  });

  test('does not stop the service, nor does it show in other routes', async (context) => {
    const { api, service, stop } = await startService(engine);
    context.after(stop);
    await service.database.transaction((tx) => tx.run(sql('alter table tokens rename to tokens_away')));
    assert.equal((await api.get('/api/v1/me', { token: newToken() })).status, 500);
    assert.equal((await api.post('/api/v1/users')).status, 201);
    assert.equal((await api.get('/livez')).status, 200);
  });
});

test('more logins than may wait for a thread are refused with 503 and Retry-After', async (context) => {
  const environment = { PASSWORD_THREADS: '1', PASSWORD_QUEUE: '1' };
  const { api, stop } = await startService('sqlite', { environment });
  context.after(stop);
  const { email, password } = newPerson();
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => api.post('/api/login', { email: `${index}${email}`, password })),
  );
  const refused = answers.filter(({ status }) => status === 503);
  assert.ok(refused.length > 0);
  for (const { headers, body } of refused) {
    assert.equal(headers.get('retry-after'), '1');
    assert.deepEqual(body, { error: 'Service temporarily unavailable', code: 'service_unavailable' });
  }
  const others = answers.filter(({ status }) => status !== 503);
  assert.deepEqual([...new Set(others.map(({ status }) => status))], [401]);
});
