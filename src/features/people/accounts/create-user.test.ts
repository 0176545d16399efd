import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnSqlite, describeStorage } from '../../../../test/support/runner/engines.ts';
import { admin, newUserData, useService, useSharedService } from '../../../../test/support/service.ts';
import { createUnclaimedUser, insertLoggedInUser, register } from '../../../../test/support/users.ts';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TAKEN = 'The email has already been taken.';
const emailTaken = { error: TAKEN, code: 'email_taken', message: TAKEN, errors: { email: [TAKEN] } };

describeStorage('POST /api/v1/users', (engine) => {
  const service = useSharedService(engine);
  const getRecord = async (id: string) => (await service.api.get(`/api/v1/users/${id}`, admin)).body.data;

  test('POST /api/v1/users creates an unclaimed record without a body, an empty body and blank members', async () => {
    const headers = { 'content-type': 'application/json' };
    const { post, request } = service.api;
    for (const create of [
      () => request('POST', '/api/v1/users'),
      () => request('POST', '/api/v1/users', { headers }),
      () => request('POST', '/api/v1/users', { headers, raw: '' }),
      () => post('/api/v1/users', {}),
      () => post('/api/v1/users', { name: null, email: '  ' }),
    ]) {
      const { status, headers, body } = await create();
      assert.equal(status, 201);
      assert.deepEqual(body, { message: 'User created', data: { id: body.data.id } });
      assert.match(body.data.id, ID);
      assert.equal(headers.get('location'), `/api/v1/users/${body.data.id}`);
      assert.equal(headers.get('etag'), null);
      const { name, email, level, state, version } = await getRecord(body.data.id);
      assert.deepEqual(
        { name, email, level, state, version },
        { name: null, email: null, level: null, state: 'unclaimed', version: 1 },
      );
    }
  });

  test('POST /api/v1/users creates an unclaimed record with a name and an email, and ignores all other members', async () => {
    const { name, email, password } = newUserData();
    const id = '01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e';
    const verified = { email_verified_at: '2026-01-01T00:00:00.000Z', version: 7, owns_email: 1 };
    const input = { id, name: ` ${name} `, email, password, level: 'admin', state: 'active', ...verified };
    const { status, body } = await service.api.post('/api/v1/users', input);
    assert.equal(status, 201);
    assert.notEqual(body.data.id, id);
    const record = await getRecord(body.data.id);
    const { created_at, updated_at, ...rest } = record;
    assert.equal(created_at, updated_at);
    assert.deepEqual(rest, {
      id: body.data.id,
      name,
      email,
      level: null,
      locale: null,
      zoneinfo: null,
      state: 'unclaimed',
      email_verified_at: null,
      last_login_at: null,
      role: null,
      totp_enabled_at: null,
      version: 1,
      user_metadata: {},
      app_metadata: {},
      groups: [],
    });
    assert.equal((await service.api.post('/api/login', { email, password })).status, 401);
  });

  test('POST /api/v1/users creates the same unclaimed record for a user as for an anonymous caller', async () => {
    const user = await insertLoggedInUser(service.database);
    const input = { ...newUserData(), level: 'admin' };
    const { status, body } = await service.api.post('/api/v1/users', input, { token: user.token });
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(body.data), ['id']);
    const { state, level } = await getRecord(body.data.id);
    assert.deepEqual({ state, level }, { state: 'unclaimed', level: null });
  });

  test('POST /api/v1/users accepts emails that are registered, and does not reserve the email', async () => {
    const owner = await createUnclaimedUser(service);
    const person = newUserData();
    const emails = [owner.email, owner.email.toUpperCase(), person.email, person.email];
    for (const email of emails) {
      const { status, body } = await service.api.post('/api/v1/users', { email });
      assert.equal(status, 201);
      assert.deepEqual(Object.keys(body.data), ['id']);
    }
    await register(service, person);
  });

  const create = (input: unknown) => service.api.post('/api/v1/users', input, admin);

  test('the administrator creates an active account if the body has a password', async () => {
    const { name, email, password } = newUserData();
    const { status, headers, body } = await create({ name, email, password, level: 'gold' });
    assert.equal(status, 201);
    const { id } = body.data;
    assert.partialDeepStrictEqual(body.data, { name, email, level: 'gold', state: 'active', version: 1 });
    assert.equal(headers.get('location'), `/api/v1/users/${id}`);
    assert.equal(headers.get('etag'), '"1"');
    const login = await service.api.post('/api/login', { email, password });
    assert.equal(login.status, 200);
    assert.equal(
      (await service.api.get('/api/v1/me', { token: login.body.access_token })).body.data.level,
      'gold',
    );
  });

  test('the administrator creates an unclaimed record that reserves its email if the body has no password', async () => {
    const { name, email, password } = newUserData();
    const { status, body } = await create({ name, email });
    assert.equal(status, 201);
    assert.equal(body.data.state, 'unclaimed');
    const again = await create({ name, email: email.toUpperCase() });
    assert.equal(again.status, 409);
    assert.deepEqual(again.body, emailTaken);
    const registration = await service.api.post('/api/register', { name, email, password });
    assert.equal(registration.status, 409);
    assert.deepEqual(registration.body, emailTaken);
    assert.equal((await service.api.post('/api/login', { email, password })).status, 401);
  });

  test('POST /api/v1/users admits exactly one of ten concurrent requests with the same email', async () => {
    const { name, email } = newUserData();
    const responses = await Promise.all(Array.from({ length: 10 }, () => create({ name, email })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
  });

  if (engine === 'postgres') return;

  test('POST /api/v1/users rejects a blank password with 400 instead of creating an account without one', async () => {
    const { name, email } = newUserData();
    for (const password of ['', ' '.repeat(8), '\u00a0\n\t'.repeat(3)]) {
      const { status, body } = await create({ name, email, password });
      assert.deepEqual([status, body.errors], [400, { password: ['The password field is required.'] }]);
    }
    const spaced = `  ${' '.repeat(8)}x  `;
    assert.equal((await create({ name, email, password: spaced })).body.data.state, 'active');
    assert.equal((await service.api.post('/api/login', { email, password: spaced })).status, 200);
    assert.equal((await service.api.post('/api/login', { email, password: spaced.trim() })).status, 401);
  });
});

describeOnSqlite('the first owner', (engine) => {
  const silent = useService(engine);
  const delivering = useService(engine, { environment: { MAIL_TO_LOG: 'true' } });

  test('the first owner is created without a password only if a message with a link can be sent', async () => {
    const create = ({ api }: typeof silent, password?: string) => {
      const { name, email } = newUserData();
      return api.post('/api/v1/users', { name, email, role: 'owner', ...(password && { password }) }, admin);
    };
    const { status, body } = await create(silent);
    const errors = { password: ['The password field is required while no mail server is connected.'] };
    assert.deepEqual([status, body.errors], [400, errors]);
    assert.equal((await create(silent, 'paper lantern under the bridge')).status, 201);
    assert.equal((await create(silent)).status, 201, 'the owner can set the password of others');
    assert.equal((await create(delivering)).status, 201);
  });
});
