import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiResponse } from '../../../test/support/api.ts';
import { describeOnEachEngine } from '../../../test/support/engines.ts';
import { createRecord, insertLoggedInUser, insertTestUser } from '../../../test/support/people.ts';
import { ADMIN_TOKEN, startService, useService } from '../../../test/support/service.ts';
import { sql } from '../../database/database.ts';
import { newId } from '../../lib/ids.ts';
import { newToken } from '../../lib/tokens.ts';

const admin = { token: ADMIN_TOKEN };

const INVALID_TOKEN =
  'Bearer realm="api", error="invalid_token", error_description="The access token is invalid or expired"';

/** Everything of an answer that is not of this moment. */
function appearance({ status, text, headers }: ApiResponse) {
  const passing = ['date', 'x-request-id'];
  return { status, text, headers: [...headers].filter(([name]) => !passing.includes(name)) };
}

describeOnEachEngine('who sees which user', (engine) => {
  const service = useService(engine);

  test('a stranger reads a constant list', async () => {
    await insertTestUser(service.service.database);
    const answer = await service.api.get('/api/v1/users?limit=1');
    assert.equal(answer.status, 200);
    assert.equal(answer.text, '{"message":"Users list"}');
    assert.equal(answer.headers.get('link'), null);
  });

  test('a stranger cannot tell a user from an id that names nobody', async () => {
    const known = await insertTestUser(service.service.database);
    const unknown = newId();
    const [one, two] = await Promise.all(
      [known.id, unknown].map((id) => service.api.get(`/api/v1/users/${id}`)),
    );
    assert.equal(one!.text, `{"message":"User ${known.id}"}`);
    const asKnown = { ...two!, text: two!.text.replace(unknown, known.id) };
    assert.deepEqual(appearance(asKnown), appearance(one!));
  });

  test('a user reads the own record, in the list and by its id', async () => {
    const user = await insertLoggedInUser(service.service.database);
    const created = new Date(user.createdAt).toISOString();
    const record = {
      id: user.id,
      name: user.name,
      email: user.email,
      level: null,
      state: 'active',
      email_verified_at: null,
      created_at: created,
      updated_at: created,
      version: 1,
    };
    const list = await service.api.get('/api/v1/users', user);
    assert.deepEqual(list.body, { message: 'Users list', data: [record] });
    assert.equal(list.headers.get('link'), null);
    const one = await service.api.get(`/api/v1/users/${user.id}`, user);
    assert.deepEqual(one.body, { message: `User ${user.id}`, data: record });
    assert.equal(one.headers.get('etag'), '"1"');
  });

  test('a user reads of others, existing or not, exactly what a stranger reads', async () => {
    const user = await insertLoggedInUser(service.service.database);
    const other = await insertTestUser(service.service.database);
    for (const id of [other.id, newId(), 'nobody', user.id.toUpperCase()]) {
      const asUser = await service.api.get(`/api/v1/users/${id}`, user);
      assert.deepEqual(appearance(asUser), appearance(await service.api.get(`/api/v1/users/${id}`)));
    }
  });

  test('the administrator reads every record, and learns which id names nobody', async () => {
    const record = await createRecord(service, { level: 'gold' });
    const one = await service.api.get(`/api/v1/users/${record.id}`, admin);
    assert.equal(one.status, 200);
    assert.deepEqual(one.body, { message: `User ${record.id}`, data: record });
    assert.equal(one.headers.get('etag'), '"1"');
    const none = await service.api.get(`/api/v1/users/${newId()}`, admin);
    assert.equal(none.status, 404);
    assert.deepEqual(none.body, { error: 'User not found', code: 'user_not_found' });
  });

  test('a bad credential is refused where none would be needed', async () => {
    const { id, token } = await insertLoggedInUser(service.service.database);
    const refused: readonly [string, string][] = [
      ['Bearer bad', INVALID_TOKEN],
      ['Bearer', INVALID_TOKEN],
      [`Bearer ${newToken()}`, INVALID_TOKEN],
      [`Bearer ${token}x`, INVALID_TOKEN],
      [`Bearer ${token} ${token}`, INVALID_TOKEN],
      [`Bearer ${ADMIN_TOKEN}x`, INVALID_TOKEN],
      [`bearer ${ADMIN_TOKEN}`, INVALID_TOKEN],
      [ADMIN_TOKEN, 'Bearer realm="api"'],
      [token, 'Bearer realm="api"'],
      ['Basic YWRhOnBhc3N3b3Jk', 'Bearer realm="api"'],
      ['', 'Bearer realm="api"'],
    ];
    for (const [authorization, challenge] of refused) {
      for (const path of ['/api/v1/users', `/api/v1/users/${id}`]) {
        const answer = await service.api.get(path, { headers: { authorization } });
        assert.equal(answer.status, 401, authorization);
        assert.deepEqual(answer.body, { error: 'Unauthorized', code: 'unauthorized' });
        assert.equal(answer.headers.get('www-authenticate'), challenge);
      }
    }
  });

  test('the scheme of a user token is read in any case', async () => {
    const user = await insertLoggedInUser(service.service.database);
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${user.token}` };
      assert.equal((await service.api.get('/api/v1/me', { headers })).body.data.id, user.id);
    }
  });

  test('hostile ids name nobody and are repeated as JSON text only', async () => {
    const ids = ['<script>alert(1)</script>', '"}', '\u0000', "' or 1=1 --", '😀', '%', 'a/b', 'a\nb'];
    for (const id of [...ids, '__proto__', 'constructor', 'x'.repeat(255)]) {
      const path = `/api/v1/users/${encodeURIComponent(id)}`;
      const asStranger = await service.api.get(path);
      assert.equal(asStranger.status, 200);
      assert.equal(asStranger.text, JSON.stringify({ message: `User ${id}` }));
      assert.equal(asStranger.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(asStranger.headers.get('x-content-type-options'), 'nosniff');
      const asAdmin = await service.api.get(path, admin);
      assert.equal(asAdmin.status, 404);
      assert.deepEqual(asAdmin.body, { error: 'User not found', code: 'user_not_found' });
    }
  });

  test('an id of more than 255 characters is no path, and one that is not UTF-8 is malformed', async () => {
    const long = await service.api.get(`/api/v1/users/${'x'.repeat(256)}`);
    assert.equal(long.status, 404);
    assert.deepEqual(long.body, { error: 'Not Found', code: 'not_found' });
    const broken = await service.api.get('/api/v1/users/%ff');
    assert.equal(broken.status, 400);
    assert.equal(broken.body.code, 'invalid_path');
  });
});

describeOnEachEngine('a stranger who reads users', (engine) => {
  test('never makes the service ask the database', async () => {
    const service = await startService(engine);
    try {
      const { id } = await insertTestUser(service.service.database);
      await service.service.database.transaction((tx) => tx.run(sql('alter table users rename to hidden')));
      assert.equal((await service.api.get(`/api/v1/users/${id}`)).status, 200);
      assert.equal((await service.api.get('/api/v1/users')).status, 200);
      assert.equal((await service.api.get(`/api/v1/users/${id}`, admin)).status, 500);
    } finally {
      await service.stop();
    }
  });
});
