import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { newUserData, useSharedService } from '../../../../test/support/service.ts';
import { register } from '../../../../test/support/users.ts';

const TAKEN = 'The email has already been taken.';

describeOnSqlite('POST /api/register', (engine) => {
  const service = useSharedService(engine);
  const post = (body: unknown) => service.api.post('/api/register', body);

  test('registration creates a user and returns a token that is valid at once', async () => {
    const person = newUserData();
    const { status, headers, body } = await service.api.post('/api/register', person);
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(body), ['access_token', 'token_type', 'expires_in', 'data']);
    assert.deepEqual(body.data, { access_token: body.access_token, token_type: 'Bearer' });
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('pragma'), 'no-cache');
    const me = await service.api.get('/api/v1/me', { token: body.access_token });
    assert.equal(me.body.data.email, person.email);
    assert.equal(headers.get('location'), `/api/v1/users/${me.body.data.id}`);
  });

  test('registration, login and logout have versioned names too', async () => {
    const person = newUserData();
    const registered = await service.api.post('/api/v1/register', person);
    assert.equal(registered.status, 201);
    assert.equal((await post(person)).body.code, 'email_taken');
    const { access_token: token } = (await service.api.post('/api/v1/login', person)).body;
    assert.equal((await service.api.post('/api/v1/logout', undefined, { token })).status, 200);
    assert.equal((await service.api.get('/api/v1/me', { token })).status, 401);
  });

  test('POST /api/register rejects a registered email with 409, whatever its case and surrounding spaces', async () => {
    const person = await register(service);
    for (const email of [person.email, ` ${person.email.toUpperCase()} `]) {
      const { status, body } = await post({ ...person, email });
      assert.equal(status, 409);
      const expected = { error: TAKEN, code: 'email_taken', message: TAKEN, errors: { email: [TAKEN] } };
      assert.deepEqual(body, expected);
    }
  });

  test('POST /api/register reveals whether an email is registered only if all other members are valid', async () => {
    const person = await register(service);
    const responses = await Promise.all(
      [person.email, newUserData().email].map((email) => post({ ...person, email, password: 'short' })),
    );
    assert.deepEqual(responses[0]!.body, responses[1]!.body);
    assert.equal(responses[0]!.status, 400);
    assert.deepEqual(Object.keys(responses[0]!.body.errors), ['password']);
  });

  test('POST /api/register trims the name and the email but not the password, and keeps the case of the email', async () => {
    const { name, email: written } = newUserData();
    const email = written.replace('user', 'UsEr');
    const { body } = await post({ name: `\t${name} `, email: ` ${email}\n`, password: '  spaces  ' });
    const me = await service.api.get('/api/v1/me', { token: body.access_token });
    assert.equal(me.body.data.name, name);
    assert.equal(me.body.data.email, email);
    const login = (password: string) => service.api.post('/api/login', { email, password });
    assert.equal((await login('  spaces  ')).status, 200);
    assert.equal((await login('spaces')).status, 401);
  });

  test('registration ignores a level of any type and members that the schema does not name', async () => {
    const sent = { level: { admin: true }, id: 'mine', state: 'disabled', is_admin: true, abilities: ['*'] };
    const { body } = await post({ ...newUserData(), ...sent });
    const { data } = (await service.api.get('/api/v1/me', { token: body.access_token })).body;
    assert.equal(data.level, null);
    assert.equal(data.state, 'active');
    assert.notEqual(data.id, 'mine');
    const dashboard = await service.api.get('/api/v1/admin/dashboard', { token: body.access_token });
    assert.equal(dashboard.status, 401);
  });

  for (const [title, password] of [
    ['6144 bytes that are 4096 in normalization form C', 'e\u0301'.repeat(2_048)],
    ['U+0000', 'pass\u0000word'],
  ] as const)
    test(`registration accepts ${title} as a password`, async () => {
      const person = { ...newUserData(), password };
      assert.equal((await post(person)).status, 201);
      assert.equal((await service.api.post('/api/login', person)).status, 200);
    });

  test('POST /api/register stores a name and an email of 255 characters unchanged', async () => {
    const name = '😀'.repeat(255);
    const unique = newUserData().email;
    const email = 'a'.repeat(255 - unique.length) + unique;
    const { status, body } = await post({ name, email, password: 'a good password' });
    assert.equal(status, 201);
    const { data } = (await service.api.get('/api/v1/me', { token: body.access_token })).body;
    assert.equal(data.name, name);
    assert.equal(data.email, email);
  });
});
