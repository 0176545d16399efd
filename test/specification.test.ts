/** What the API promises, line by line: endpoints, errors, the rules of registration and of form fields. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../src/database/database.ts';
import { holdCases } from './specification/case.ts';
import { endpoints } from './specification/endpoints.ts';
import { formFields } from './specification/form-fields.ts';
import { registration } from './specification/registration.ts';
import { describeOnEachEngine } from './support/engines.ts';
import { register } from './support/people.ts';
import {
  ADMIN_TOKEN,
  newPerson,
  startService,
  type TestService,
  type TestServiceOptions,
  useService,
} from './support/service.ts';

holdCases('the endpoints', endpoints);
holdCases('the rules of registration', registration);
holdCases('the rules of form fields', formFields);

describeOnEachEngine('the administrator', (engine) => {
  const service = useService(engine);

  test('reads the dashboard with the credential, and no user ever does', async () => {
    const path = '/api/v1/admin/dashboard';
    const { status, body } = await service.api.get(path, { token: ADMIN_TOKEN });
    assert.equal(status, 200);
    assert.equal(body.message, 'Admin dashboard');
    const answer = await service.api.post('/api/register', { ...newPerson(), level: 'admin' });
    assert.equal((await service.api.get(path, { token: answer.body.access_token })).status, 401);
  });
});

describeOnEachEngine('creating with an Idempotency-Key', (engine) => {
  const service = useService(engine);

  test('a replay returns the stored result and does not run again', async () => {
    const person = newPerson();
    const headers = { 'idempotency-key': 'a unique value' };
    const quoted = { 'idempotency-key': '"a unique value"' };
    const malformed = await service.api.post('/api/register', person, { headers });
    assert.equal(malformed.status, 400, 'a space stands only inside quotes');
    const first = await service.api.post('/api/register', person, { headers: quoted });
    const second = await service.api.post('/api/register', person, { headers: quoted });
    assert.equal(first.status, 201);
    assert.equal(first.headers.get('idempotent-replayed'), null);
    assert.equal(second.status, 201);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    assert.equal(second.text, first.text);
    const { body } = await service.api.get('/api/v1/users', { token: ADMIN_TOKEN });
    assert.equal(body.data.length, 1);
  });
});

describeOnEachEngine('refusals as RFC 9457', (engine) => {
  const service = useService(engine);
  const headers = { accept: 'application/problem+json' };

  test('carry their media type as it is registered: without parameters', async () => {
    const answer = await service.api.get('/nowhere', { headers });
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  });

  test('say where each failure is', async () => {
    const form = { fields: [{ label: 'ab', type: 'text', is_required: true }, 1] };
    const fields = await service.api.post('/api/v1/form-fields/validate', form, { headers });
    assert.deepEqual(fields.body.errors, [
      { pointer: '#/fields/0/label', detail: 'Label must be between 3 and 50 characters' },
      { pointer: '#/fields/1', detail: 'invalid field format' },
    ]);
    const account = { name: '', email: 'nobody', password: 'a password' };
    const registration = await service.api.post('/api/register', account, { headers });
    assert.deepEqual(registration.body.errors, [
      { pointer: '#/name', detail: 'The name field is required.' },
      { pointer: '#/email', detail: 'The email field must be a valid email address.' },
    ]);
  });
});

describeOnEachEngine('what goes wrong inside', (engine) => {
  /** Runs a test on a service of its own. */
  const withService = async (options: TestServiceOptions, run: (service: TestService) => Promise<void>) => {
    const service = await startService(engine, options);
    try {
      await run(service);
    } finally {
      await service.stop();
    }
  };

  test('an internal failure tells nothing of itself', () =>
    withService({}, async (service) => {
      const { token } = await register(service);
      await service.service.database.transaction((tx) => tx.run(sql('alter table users rename to hidden')));
      const { status, body } = await service.api.get('/api/v1/me', { token });
      assert.equal(status, 500);
      assert.deepEqual(body, { error: 'Internal Server Error', code: 'internal_error' });
      assert.ok(
        service.log.some(({ code, err }) => code === 'internal_error' && /users/.test(JSON.stringify(err))),
      );
    }));

  test('forbidden access is refused with the error alone', () =>
    withService({ environment: { REGISTRATION: 'closed' } }, async ({ api }) => {
      const { status, body } = await api.post('/api/register', newPerson());
      assert.equal(status, 403);
      assert.deepEqual(body, { error: 'Forbidden', code: 'forbidden' });
    }));

  test('too many requests are told when to come back', () =>
    withService({ environment: { RATE_LIMITS: 'on', RATE_LIMIT_ANON: '2/60' } }, async ({ api }) => {
      const answers = [];
      for (let count = 0; count < 3; count++) answers.push(await api.get('/api/v1/users'));
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 429],
      );
      const { headers, body } = answers[2]!;
      assert.equal(body.error, 'Too many requests');
      const [, seconds] = /;t=(\d+)/.exec(headers.get('ratelimit')!)!;
      assert.match(headers.get('retry-after')!, /^[1-9]\d*$/);
      assert.ok(Number(headers.get('retry-after')) >= Number(seconds));
      assert.equal(headers.get('x-ratelimit-remaining'), '0');
    }));
});
