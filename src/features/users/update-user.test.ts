import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, admin, newUserData, useSharedService } from '../../../test/support/service.ts';
import { createUnclaimedUser, insertTestUser } from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';

const TAKEN = 'The email has already been taken.';
const VERIFY = sql('update users set email_verified_at = 1 where id = $1');

describeOnSqlite('PATCH /api/v1/users/{id}', (engine) => {
  const service = useSharedService(engine);
  const change = (id: string, changes: unknown, ifMatch?: string) => {
    const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
    return service.api.patch(`/api/v1/users/${id}`, changes, { token: ADMIN_TOKEN, headers });
  };
  const read = (id: string) => service.api.get(`/api/v1/users/${id}`, admin);

  test('PATCH /api/v1/users/{id} changes the given members only, and increments the version', async () => {
    const before = await createUnclaimedUser(service, { level: 'gold' });
    const { status, headers, body } = await change(before.id, { name: ' New name ' }, '"1"');
    assert.equal(status, 200);
    assert.equal(headers.get('etag'), '"2"');
    const { updated_at } = body.data;
    assert.deepEqual(body, {
      message: `User ${before.id}`,
      data: { ...before, name: 'New name', version: 2, updated_at },
    });
    assert.ok(updated_at >= before.updated_at);
    const after = await read(before.id);
    assert.deepEqual(after.body, body);
    assert.equal(after.headers.get('etag'), '"2"');
  });

  test('PATCH /api/v1/users/{id} keeps the version and updated_at if nothing changes', async () => {
    const record = await createUnclaimedUser(service);
    for (const changes of [{}, { name: record.name }, { email: record.email, level: null }]) {
      const { status, headers, body } = await change(record.id, changes, '"1"');
      assert.equal(status, 200);
      assert.equal(headers.get('etag'), '"1"');
      assert.deepEqual(body.data, record);
    }
  });

  test('PATCH /api/v1/users/{id} lets the record of an anonymous caller have the email of an account', async () => {
    const owner = await insertTestUser(service.database);
    const { name, email } = newUserData();
    for (const given of [email, owner.email]) {
      const anonymous = await service.api.post('/api/v1/users', { name, email: given });
      const other = await insertTestUser(service.database);
      const { status, body } = await change(anonymous.body.data.id, { email: other.email }, '*');
      assert.deepEqual([status, body.data.email], [200, other.email]);
    }
    const taken = await change(owner.id, { email: (await insertTestUser(service.database)).email }, '*');
    assert.deepEqual([taken.status, taken.body.errors], [409, { email: [TAKEN] }]);
  });

  test('PATCH /api/v1/users/{id} rejects a request without If-Match with 428', async () => {
    const record = await createUnclaimedUser(service);
    const { status, body } = await change(record.id, { name: 'Other' });
    assert.equal(status, 428);
    assert.deepEqual(body, { error: 'If-Match is required', code: 'precondition_required' });
    assert.deepEqual((await read(record.id)).body.data, record);
  });

  test('PATCH /api/v1/users/{id} rejects an outdated version in the body with 409', async () => {
    const record = await createUnclaimedUser(service);
    for (const version of [2, 0, -1]) {
      const { status, body } = await change(record.id, { name: 'Other', version }, '*');
      assert.equal(status, 409);
      assert.deepEqual(body, {
        error: 'The record has changed since this version',
        code: 'version_conflict',
      });
    }
    assert.deepEqual((await read(record.id)).body.data, record);
    assert.equal((await change(record.id, { name: 'Other', version: 1 }, '"1"')).body.data.version, 2);
  });

  test('PATCH /api/v1/users/{id} rejects the email of another record in any case with 409', async () => {
    const [record, other] = [await createUnclaimedUser(service), await createUnclaimedUser(service)];
    const { status, body } = await change(record.id, { email: other.email.toUpperCase() }, '"1"');
    assert.equal(status, 409);
    const expected = { error: TAKEN, code: 'email_taken', message: TAKEN, errors: { email: [TAKEN] } };
    assert.deepEqual(body, expected);
    assert.deepEqual((await read(record.id)).body.data, record);
  });

  test('PATCH /api/v1/users/{id} marks a new email as not verified, but not the same email in another case', async () => {
    const user = await insertTestUser(service.database);
    await service.database.transaction((tx) => tx.run(VERIFY, user.id));
    const sameAddress = await change(user.id, { email: user.email!.toUpperCase() }, '"1"');
    assert.equal(sameAddress.body.data.email, user.email!.toUpperCase());
    assert.equal(sameAddress.body.data.email_verified_at, '1970-01-01T00:00:00.001Z');
    const { body } = await change(user.id, { email: newUserData().email }, '"2"');
    assert.equal(body.data.email_verified_at, null);
  });
});
