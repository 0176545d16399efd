/** The specification of the API as tables: endpoints, errors, the rules of registration and of form fields. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../src/database/database.ts';
import { testCases } from './specification/case.ts';
import { endpoints } from './specification/endpoints.ts';
import { formFields } from './specification/form-fields.ts';
import { protocol } from './specification/protocol.ts';
import { registration } from './specification/registration.ts';
import { describeOnEachEngine } from './support/runner/engines.ts';
import {
  ADMIN_TOKEN,
  newUserData,
  startService,
  type TestService,
  type TestServiceOptions,
  useService,
} from './support/service.ts';
import { register } from './support/users.ts';

testCases('endpoints', endpoints);
testCases('protocol', protocol);
testCases('registration', registration);
testCases('form fields', formFields);

describeOnEachEngine('the dashboard', (engine) => {
  const service = useService(engine);

  test('the dashboard is returned to the administrator and rejects every user with 401', async () => {
    const path = '/api/v1/admin/dashboard';
    const { status, body } = await service.api.get(path, { token: ADMIN_TOKEN });
    assert.equal(status, 200);
    assert.equal(body.message, 'Admin dashboard');
    const user = await service.api.post('/api/register', { ...newUserData(), level: 'admin' });
    assert.equal((await service.api.get(path, { token: user.body.access_token })).status, 401);
  });
});

describeOnEachEngine('a creation with an Idempotency-Key', (engine) => {
  const service = useService(engine);

  test('a creation with an Idempotency-Key is processed once and replayed afterwards', async () => {
    const user = newUserData();
    const headers = { 'idempotency-key': 'a unique value' };
    const quoted = { 'idempotency-key': '"a unique value"' };
    const malformed = await service.api.post('/api/register', user, { headers });
    assert.equal(malformed.status, 400, 'a space is allowed only inside quotes');
    const first = await service.api.post('/api/register', user, { headers: quoted });
    const second = await service.api.post('/api/register', user, { headers: quoted });
    assert.equal(first.status, 201);
    assert.equal(first.headers.get('idempotent-replayed'), null);
    assert.equal(second.status, 201);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    assert.equal(second.text, first.text);
    const { body } = await service.api.get('/api/v1/users', { token: ADMIN_TOKEN });
    assert.equal(body.data.length, 1);
  });
});

describeOnEachEngine('error responses as RFC 9457 problems', (engine) => {
  const service = useService(engine);
  const headers = { accept: 'application/problem+json' };

  test('error responses as problems have the registered media type without parameters', async () => {
    const response = await service.api.get('/nowhere', { headers });
    assert.equal(response.headers.get('content-type'), 'application/problem+json');
  });

  test('error responses as problems contain a JSON pointer for each failed rule', async () => {
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

describeOnEachEngine('error responses', (engine) => {
  /** Runs a test with its own service. */
  const withService = async (options: TestServiceOptions, run: (service: TestService) => Promise<void>) => {
    const service = await startService(engine, options);
    try {
      await run(service);
    } finally {
      await service.stop();
    }
  };

  test('error responses contain no detail of an unexpected error, which is logged', () =>
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

  test('error responses reject a forbidden registration with 403', () =>
    withService({ environment: { REGISTRATION: 'closed' } }, async ({ api }) => {
      const { status, body } = await api.post('/api/register', newUserData());
      assert.equal(status, 403);
      assert.deepEqual(body, { error: 'Forbidden', code: 'forbidden' });
    }));

  test('error responses state when to retry after 429', () =>
    withService({ environment: { RATE_LIMITS: 'on', RATE_LIMIT_ANON: '2/60' } }, async ({ api }) => {
      const responses = [];
      for (let count = 0; count < 3; count++) responses.push(await api.get('/api/v1/users'));
      assert.deepEqual(
        responses.map(({ status }) => status),
        [200, 200, 429],
      );
      const { headers, body } = responses[2]!;
      assert.equal(body.error, 'Too many requests');
      const [, seconds] = /;t=(\d+)/.exec(headers.get('ratelimit')!)!;
      assert.match(headers.get('retry-after')!, /^[1-9]\d*$/);
      assert.ok(Number(headers.get('retry-after')) >= Number(seconds));
      assert.equal(headers.get('x-ratelimit-remaining'), '0');
    }));
});
