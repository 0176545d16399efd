import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnEachEngine } from '../../../test/support/engines.ts';
import { register } from '../../../test/support/people.ts';
import { ADMIN_TOKEN, newPerson, useService } from '../../../test/support/service.ts';

const TAKEN = 'The email has already been taken.';

describeOnEachEngine('registration', (engine) => {
  const service = useService(engine);
  const post = (body: unknown) => service.api.post('/api/register', body);

  test('a person who registers is logged in with the token of the answer', async () => {
    const person = newPerson();
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

  test('of twenty who register one address at once exactly one succeeds', async () => {
    const person = newPerson();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => service.api.post('/api/register', person)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, ...Array(19).fill(409)]);
  });

  test('a taken address is refused in whatever case it is written, with the message at its member', async () => {
    const person = await register(service);
    for (const email of [person.email, ` ${person.email.toUpperCase()} `]) {
      const { status, body } = await post({ ...person, email });
      assert.equal(status, 409);
      const expected = { error: TAKEN, code: 'email_taken', message: TAKEN, errors: { email: [TAKEN] } };
      assert.deepEqual(body, expected);
    }
  });

  test('whether an address is taken is told only when everything else is valid', async () => {
    const person = await register(service);
    const answers = await Promise.all(
      [person.email, newPerson().email].map((email) => post({ ...person, email, password: 'short' })),
    );
    assert.deepEqual(answers[0]!.body, answers[1]!.body);
    assert.equal(answers[0]!.status, 400);
    assert.deepEqual(Object.keys(answers[0]!.body.errors), ['password']);
  });

  test('name and address are trimmed, the password is not', async () => {
    const { name, email } = newPerson();
    const { body } = await post({ name: `\t${name} `, email: ` ${email}\n`, password: '  spaces  ' });
    const me = await service.api.get('/api/v1/me', { token: body.access_token });
    assert.equal(me.body.data.name, name);
    assert.equal(me.body.data.email, email);
    const login = (password: string) => service.api.post('/api/login', { email, password });
    assert.equal((await login('  spaces  ')).status, 200);
    assert.equal((await login('spaces')).status, 401);
  });

  test('the address is shown as it was written', async () => {
    const { email, ...rest } = newPerson();
    const written = email.replace('person', 'PerSon');
    const { body } = await post({ ...rest, email: written });
    const me = await service.api.get('/api/v1/me', { token: body.access_token });
    assert.equal(me.body.data.email, written);
  });

  test('a level of whatever type, and every other member, is accepted and has no effect', async () => {
    const sent = { level: { admin: true }, id: 'mine', state: 'disabled', is_admin: true, abilities: ['*'] };
    const { body } = await post({ ...newPerson(), ...sent });
    const { data } = (await service.api.get('/api/v1/me', { token: body.access_token })).body;
    assert.equal(data.level, null);
    assert.equal(data.state, 'active');
    assert.notEqual(data.id, 'mine');
    const dashboard = await service.api.get('/api/v1/admin/dashboard', { token: body.access_token });
    assert.equal(dashboard.status, 401);
  });

  const tooLong = { password: ['The password field must not be greater than 4096 bytes.'] };
  const passwords: readonly [string, string, object | null][] = [
    ['eight emoji are eight characters', '😀'.repeat(8), null],
    [
      'seven emoji are seven, not fourteen',
      '😀'.repeat(7),
      { password: ['The password field must be at least 8 characters.'] },
    ],
    ['4096 bytes are accepted', 'x'.repeat(4_096), null],
    ['4097 bytes are refused, not cut', 'x'.repeat(4_097), tooLong],
    ['bytes count, not characters', 'é'.repeat(2_049), tooLong],
    ['bytes count in the composed form', 'e\u0301'.repeat(2_048), null],
    [
      'half of a surrogate pair is no text',
      'password\ud83d',
      { password: ['The password field format is invalid.'] },
    ],
    ['U+0000 is a character like any other', 'pass\u0000word', null],
  ];
  for (const [shows, password, errors] of passwords) {
    test(`passwords: ${shows}`, async () => {
      const person = { ...newPerson(), password };
      const { status, body } = await post(person);
      assert.deepEqual(body.errors, errors ?? undefined);
      assert.equal(status, errors === null ? 201 : 400);
      if (errors === null) assert.equal((await service.api.post('/api/login', person)).status, 200);
    });
  }

  test('the longest name and address, 255 characters of whatever size, come back as they were', async () => {
    const name = '😀'.repeat(255);
    const unique = newPerson().email;
    const email = 'a'.repeat(255 - unique.length) + unique;
    const { status, body } = await post({ name, email, password: 'a good password' });
    assert.equal(status, 201);
    const { data } = (await service.api.get('/api/v1/me', { token: body.access_token })).body;
    assert.equal(data.name, name);
    assert.equal(data.email, email);
  });

  test('the administrator sees the account at the address of the answer', async () => {
    const person = newPerson();
    const { headers } = await post(person);
    const { body } = await service.api.get(headers.get('location')!, { token: ADMIN_TOKEN });
    assert.equal(body.data.email, person.email);
    assert.equal(body.data.state, 'active');
  });
});
