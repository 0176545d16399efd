import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCredential } from '../../../test/support/credentials.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { insertLoggedInUser } from '../../../test/support/users.ts';
import { ROLES } from '../../callers/admin-scopes.ts';
import { newId } from '../../lib/secrets/ids.ts';

const admin = { token: ADMIN_TOKEN };

describeOnEachEngine('GET /api/v1/users/{id}/events', (engine) => {
  const service = useService(engine);

  test('the role support reads the events of a user, but neither those of all nor an export of all users', async () => {
    const { id } = await insertLoggedInUser(service.service.database);
    await service.api.patch(
      `/api/v1/users/${id}`,
      { level: 'gold' },
      { ...admin, headers: { 'if-match': '*' } },
    );
    const { secret } = await createCredential(service, ROLES.support);
    const get = (path: string) => service.api.get(path, { token: secret });
    const { status, body } = await get(`/api/v1/users/${id}/events?limit=1`);
    assert.deepEqual([status, body.data[0].type, body.data[0].user.id], [200, 'user.updated', id]);
    assert.equal((await get(`/api/v1/users/${newId()}/events`)).status, 404);
    for (const path of ['/api/v1/events', '/api/v1/admin/users/export']) {
      const { status, body } = await get(path);
      assert.deepEqual([status, body.code], [403, 'insufficient_scope'], path);
    }
    const exporter = await createCredential(service, ['users:export']);
    assert.equal(
      (await service.api.get('/api/v1/admin/users/export', { token: exporter.secret })).status,
      200,
    );
  });
});
