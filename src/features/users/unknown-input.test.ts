import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { operations } from '../../../test/support/description/description.ts';
import type { Json } from '../../../test/support/description/json-reference.ts';
import { pluck } from '../../../test/support/pluck.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, admin, editor, newUserData, useSharedService } from '../../../test/support/service.ts';
import { createUnclaimedUser, insertLoggedInUser } from '../../../test/support/users.ts';

const ofAdministrator = operations
  .filter(({ operation }) => ['admin', 'optional'].includes(operation['x-access']))
  .map(({ method, path, operation }) => ({
    method,
    path: path.replace(/\{\w+\}/g, '01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e'),
    access: operation['x-access'],
    names: (operation.parameters ?? []).flatMap((each: Json) => (each.in === 'query' ? [each.name] : [])),
  }));
const notAllowed = (name: string) => `The ${name} parameter is not allowed here.`;
const toError = (text: string, errors: object) => ({
  error: text,
  code: 'validation_failed',
  message: text,
  errors,
});

describeOnSqlite('unknown query parameters', (engine) => {
  const service = useSharedService(engine);
  before(() => createUnclaimedUser(service));

  for (const { method, path } of ofAdministrator) {
    test(`unknown query parameters are named with 400 in ${method} ${path} of the administrator`, async () => {
      const { status, body } = await service.api.request(method, `${path}?created_after=2026-01-01`, {
        token: ADMIN_TOKEN,
      });
      assert.equal(status, 400);
      const text = notAllowed('created_after');
      assert.deepEqual(body, toError(text, { created_after: [text] }));
    });
  }

  test('unknown query parameters are all named, also beside known ones, and whatever their names are', async () => {
    const query = 'limit=2&Limit=2&Limit=3&__proto__=1&%F0%9F%98%80&=1';
    const { status, body } = await service.api.get(`/api/v1/users?${query}`, admin);
    assert.equal(status, 400);
    const names = ['Limit', '__proto__', '😀', ''];
    const text = `${notAllowed('Limit')} (and 3 more errors)`;
    assert.equal(body.error, text);
    assert.deepEqual(
      Object.entries(body.errors),
      names.map((name) => [name, [notAllowed(name)]]),
    );
  });

  test('unknown query parameters are ignored in requests of anonymous callers and users', async () => {
    const user = await insertLoggedInUser(service.database);
    for (const credential of [{}, { token: user.token }]) {
      for (const { method, path } of ofAdministrator.filter(({ access }) => access === 'optional')) {
        const unknown = `${path}?created_after=2026-01-01`;
        const { status, text } = await service.api.request(method, unknown, credential);
        assert.notEqual(status, 401);
        assert.ok(!text.includes('created_after'), `${method} ${path}: ${text}`);
      }
    }
    const own = await service.api.get('/api/v1/me?created_after=2026-01-01', { token: user.token });
    assert.equal(own.status, 200);
  });

  for (const { method, path, names } of ofAdministrator.filter((each) => each.names.length > 0)) {
    test(`unknown query parameters do not include those that are described for ${method} ${path}`, async () => {
      for (const name of names) {
        const { body } = await service.api.request(method, `${path}?${name}=1`, admin);
        assert.notEqual(body?.code, 'validation_failed', name);
      }
    });
  }
});
const memberNotAllowed = (name: string) => [`The ${name} field is not allowed here.`];

describeOnSqlite('unknown members of request bodies', (engine) => {
  const service = useSharedService(engine);

  test('unknown members are rejected with 400 that names each of them, and the change is not made', async () => {
    const record = await createUnclaimedUser(service);
    const path = `/api/v1/users/${record.id}`;
    const changes = { name: 'Other', password: 'correct horse battery', rank: 'admin' };
    const { status, body } = await service.api.patch(path, changes, editor);
    assert.equal(status, 400);
    assert.deepEqual(body, {
      error: 'The password field is not allowed here. (and 1 more error)',
      code: 'validation_failed',
      message: 'The password field is not allowed here. (and 1 more error)',
      errors: { password: memberNotAllowed('password'), rank: memberNotAllowed('rank') },
    });
    assert.deepEqual((await service.api.get(path, editor)).body.data, record);
  });

  test('unknown members are named next to the messages of the known ones', async () => {
    const { id } = await createUnclaimedUser(service);
    const { body } = await service.api.patch(`/api/v1/users/${id}`, { extra: 1, state: 'gone' }, editor);
    assert.deepEqual(Object.entries(body.errors), [
      ['state', ['The selected state is invalid.']],
      ['extra', memberNotAllowed('extra')],
    ]);
  });

  test('unknown members have a JSON pointer in problem details, whatever their names', async () => {
    const { id } = await createUnclaimedUser(service);
    const { status, body } = await service.api.request('PATCH', `/api/v1/users/${id}`, {
      raw: '{"a/b~c %": 2, "constructor": 3, "": 4, "\\ud800": 5}',
      token: ADMIN_TOKEN,
      headers: { 'if-match': '*', 'content-type': 'application/json', accept: 'application/problem+json' },
    });
    assert.equal(status, 400);
    assert.deepEqual(pluck(body.errors, 'pointer'), [
      '#/a~1b~0c%20%25',
      '#/constructor',
      '#/',
      '#/%EF%BF%BD',
    ]);
  });

  test('unknown members are ignored in the bodies of anonymous callers and users', async () => {
    const user = await insertLoggedInUser(service.database);
    for (const credential of [{}, { token: user.token }]) {
      const body = { ...newUserData(), unknown: 1, level: 'gold' };
      assert.equal((await service.api.post('/api/v1/users', body, credential)).status, 201);
    }
    const changes = {
      id: 'other',
      level: 'gold',
      state: 'disabled',
      email_verified_at: '2026-01-01T00:00:00.000Z',
    };
    const { body } = await service.api.patch('/api/v1/me', changes, { token: user.token });
    const { id, level, state, email_verified_at } = body.data;
    assert.deepEqual([id, level, state, email_verified_at], [user.id, null, 'active', null]);
    const registration = { ...newUserData(), unknown: 1 };
    assert.equal((await service.api.post('/api/register', registration)).status, 201);
  });
});
