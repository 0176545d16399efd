import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCredential } from '../../../../test/support/credentials.ts';
import { insertTestEvents } from '../../../../test/support/events.ts';
import { keyed, newKey, replayed, watchTally } from '../../../../test/support/keyed.ts';
import { pluck } from '../../../../test/support/pluck.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { admin, editor, newUserData, useSharedService } from '../../../../test/support/service.ts';
import { createUnclaimedUser, insertLoggedInUser, insertTestUser } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { listPendingErasures } from '../../people/personal-data/delete-rows.ts';
import type { AccountDeps } from '../../people/sign-in/account-deps.ts';
import { toSteps } from './batch-users.ts';

const EVENTS = sql<{ type: string }>('select type from events where subject = $1 order by id');
const TAKEN = 'The email has already been taken.';

describeOnEachEngine('POST /api/v1/users/batch', (engine) => {
  const service = useSharedService(engine);
  const post = (operations: unknown, request = admin) =>
    service.api.post('/api/v1/users/batch', { operations }, request);
  const read = async (id: string) => (await service.api.get(`/api/v1/users/${id}`, admin)).body.data;
  const types = async (id: string) =>
    (await service.database.all(EVENTS, `user:${id}`)).map(({ type }) => type);
  const newUser = () => {
    const { name, email } = newUserData();
    return { name, email };
  };

  test('POST /api/v1/users/batch creates, updates and disables users with the effects of single requests', async () => {
    const [active, unclaimed] = [
      await insertLoggedInUser(service.database),
      await createUnclaimedUser(service),
    ];
    const [plain, claimed] = [newUser(), { ...newUser(), password: 'a long enough one', level: 'gold' }];
    const changes = { name: ' Changed ', app_metadata: { plan: 'team' } };
    const { status, body } = await post([
      { action: 'create', user: plain },
      { action: 'create', user: claimed },
      { action: 'update', id: unclaimed.id, changes, version: 1 },
      { action: 'disable', id: active.id },
    ]);
    assert.deepEqual([status, body.message, body.failed], [200, 'Operations processed', 0]);
    const ids = body.data.map(({ data }: { data: { id: string } }) => data.id);
    assert.deepEqual(body.data, [
      { index: 0, status: 201, data: { id: ids[0], version: 1 } },
      { index: 1, status: 201, data: { id: ids[1], version: 1 } },
      { index: 2, status: 200, data: { id: unclaimed.id, version: 2 } },
      { index: 3, status: 200, data: { id: active.id, version: 2 } },
    ]);
    const records = await Promise.all(ids.map(read));
    assert.deepEqual(
      records.map(({ name, level, state }) => [name, level, state]),
      [
        [plain.name, null, 'unclaimed'],
        [claimed.name, 'gold', 'active'],
        ['Changed', null, 'unclaimed'],
        [records[3].name, null, 'disabled'],
      ],
    );
    assert.deepEqual(records[2].app_metadata, { plan: 'team' });
    assert.equal((await service.api.get('/api/v1/me', { token: active.token })).status, 401);
    assert.equal((await service.api.post('/api/login', claimed)).status, 200);
    assert.deepEqual(await types(ids[0]), ['user.created']);
    assert.deepEqual((await types(ids[2])).at(-1), 'user.updated');
    assert.ok((await types(ids[3])).includes('user.disabled'));
    const { body: mail } = await service.api.get(
      `/api/v1/admin/mail?recipient=${encodeURIComponent(plain.email)}`,
      admin,
    );
    assert.deepEqual(pluck(mail.data, 'kind'), ['claim_account']);
  });

  test('POST /api/v1/users/batch enables and erases users and revokes tokens with the effects of single requests', async () => {
    const { database } = service;
    const users = await Promise.all([1, 2, 3].map(() => insertLoggedInUser(database)));
    const [disabled, erased, large] = users.map(({ id }) => id) as [string, string, string];
    const revoked = await insertLoggedInUser(database);
    await service.api.patch(`/api/v1/users/${disabled}`, { state: 'disabled' }, editor);
    await insertTestEvents(database, large, 450);
    const { status, body } = await post([
      { action: 'enable', id: disabled, version: 2 },
      { action: 'erase', id: erased, version: 1 },
      { action: 'erase', id: large },
      { action: 'revoke', id: revoked.id },
      { action: 'enable', id: disabled },
    ]);
    assert.equal(status, 200);
    assert.deepEqual(body.data, [
      { index: 0, status: 200, data: { id: disabled, version: 3 } },
      { index: 1, status: 204 },
      { index: 2, status: 204 },
      { index: 3, status: 204 },
      { index: 4, status: 200, data: { id: disabled, version: 3 } },
    ]);
    assert.equal((await read(disabled)).state, 'active');
    for (const id of [erased, large]) {
      assert.equal(await read(id), undefined);
      assert.equal((await types(id)).at(-1), 'user.erased');
    }
    assert.deepEqual(await listPendingErasures(database), []);
    assert.equal((await service.api.get('/api/v1/me', { token: revoked.token })).status, 401);
    assert.equal((await read(revoked.id)).state, 'active');
    assert.ok((await types(revoked.id)).includes('token.revoked'));
  });

  test('POST /api/v1/users/batch erases at most ten users in a transaction', () => {
    const erasures = Array.from({ length: 25 }, () => ({ action: 'erase', id: newId() }));
    const others = Array.from({ length: 51 }, () => ({ action: 'disable', id: newId() }));
    const deps = {} as AccountDeps;
    assert.equal(toSteps(deps, erasures).length, 3);
    assert.equal(toSteps(deps, others).length, 2);
  });

  test('POST /api/v1/users/batch returns an error for each operation that fails, and processes the others', async () => {
    const taken = await insertTestUser(service.database);
    const other = await insertTestUser(service.database);
    const unclaimed = await createUnclaimedUser(service);
    const [twice, last] = [newUser(), newUser()];
    const { status, body } = await post([
      { action: 'create', user: { email: 'nobody' } },
      { action: 'create', user: { ...newUser(), email: taken.email } },
      { action: 'create', user: twice },
      { action: 'create', user: twice },
      { action: 'update', id: newId(), changes: { name: 'X' } },
      { action: 'update', id: 'x', changes: { name: 'X' } },
      { action: 'update', id: other.id, changes: { email: taken.email } },
      { action: 'update', id: other.id, changes: { name: 'X', state: 'unclaimed', id: '1' } },
      { action: 'update', id: other.id, changes: { name: 'X' }, version: 9 },
      { action: 'update', id: other.id, changes: { app_metadata: { a: 2 ** 60 } } },
      { action: 'disable', id: unclaimed.id },
      { action: 'enable', id: unclaimed.id },
      { action: 'erase', id: unclaimed.id, version: 2 },
      { action: 'erase', id: newId() },
      { action: 'revoke', id: newId() },
      { action: 'revoke', id: other.id, version: 1 },
      { action: 'rename', id: unclaimed.id },
      { action: 'disable' },
      { action: 'create', user: newUser(), version: 1 },
      'create',
      { action: 'create', user: { ...newUser(), password: 'short' } },
      { action: 'create', user: last },
    ]);
    assert.equal(status, 200);
    const outcomes = body.data.map(({ status, code, errors }: Record<string, unknown>) => [
      status,
      code,
      errors === undefined ? undefined : Object.keys(errors as object).join(),
    ]);
    assert.deepEqual(outcomes, [
      [400, 'validation_failed', 'name,email'],
      [409, 'email_taken', 'email'],
      [201, undefined, undefined],
      [409, 'email_taken', 'email'],
      [404, 'user_not_found', undefined],
      [404, 'user_not_found', undefined],
      [409, 'email_taken', 'email'],
      [400, 'validation_failed', 'state,id'],
      [409, 'version_conflict', undefined],
      [400, 'validation_failed', 'app_metadata'],
      [400, 'validation_failed', 'state'],
      [400, 'validation_failed', 'state'],
      [409, 'version_conflict', undefined],
      [404, 'user_not_found', undefined],
      [404, 'user_not_found', undefined],
      [400, 'validation_failed', 'version'],
      [400, 'validation_failed', 'action'],
      [400, 'validation_failed', 'id'],
      [400, 'validation_failed', 'version'],
      [400, 'invalid_payload', undefined],
      [400, 'validation_failed', 'password'],
      [201, undefined, undefined],
    ]);
    assert.equal(body.failed, 20);
    const expected = { index: 1, status: 409, error: TAKEN, code: 'email_taken', errors: { email: [TAKEN] } };
    assert.deepEqual(body.data[1], expected);
    assert.equal((await read(other.id)).version, 1);
  });

  test('POST /api/v1/users/batch sent twice at once with a key processes each operation once', async () => {
    const operations = Array.from({ length: 120 }, () => ({ action: 'create', user: newUser() }));
    const added = await watchTally(service.database);
    const request = keyed(newKey(), admin);
    const both = await Promise.all([1, 2].map(() => post(operations, request as typeof admin)));
    for (const { status, body } of both)
      if (status !== 200) assert.equal(body.code, 'idempotency_key_in_use');
    const last = await post(operations, request as typeof admin);
    assert.deepEqual([last.status, last.body.failed], [200, 0]);
    assert.deepEqual(await added(), { users: 120, tokens: 0, responses: 3, claims: 0 });
  });

  if (engine === 'postgres') return;

  test('POST /api/v1/users/batch rejects a body that is no batch as a whole with 400', async () => {
    const create = (user: object) => ({ action: 'create', user: { ...newUser(), ...user } });
    const many = (count: number, user: object) => Array.from({ length: count }, () => create(user));
    const added = await watchTally(service.database);
    const wrong: [unknown, RegExp][] = [
      [many(1_001, {}), /must not have more than 1000 items/],
      [many(101, { password: 'a long enough one' }), /must not have more than 100 users with a password/],
    ];
    for (const [operations, message] of wrong) {
      const { status, body } = await post(operations);
      assert.deepEqual([status, body.code], [400, 'validation_failed']);
      assert.match(body.errors.operations[0], message);
    }
    const large = await post([create({ app_metadata: { text: 'x'.repeat(2 ** 20) } })]);
    assert.deepEqual([large.status, large.body.code], [413, 'payload_too_large']);
    assert.equal((await added()).users, 0);
  });

  test('POST /api/v1/users/batch accepts 1,000 operations with metadata, and replays their results by the key', async () => {
    const operations = Array.from({ length: 1_000 }, (_, index) => ({
      action: 'create',
      user: { ...newUser(), app_metadata: { customer_id: `c-${index}`, plan: 'team', seats: index } },
    }));
    const added = await watchTally(service.database);
    const request = keyed(newKey(), admin);
    const first = await post(operations, request as typeof admin);
    assert.deepEqual([first.status, first.body.failed, first.body.data.length], [200, 0, 1_000]);
    assert.equal(replayed(first), null);
    assert.ok(first.body.data.every(({ index }: { index: number }, at: number) => index === at));
    const second = await post(operations, request as typeof admin);
    assert.equal(replayed(second), 'true');
    assert.equal(second.text, first.text);
    assert.deepEqual(await added(), { users: 1_000, tokens: 0, responses: 20, claims: 0 });
    const reused = await post(operations.slice(1), request as typeof admin);
    assert.deepEqual([reused.status, reused.body.code], [422, 'idempotency_key_reused']);
  });

  test('POST /api/v1/users/batch is for administrators with the scope of each of its operations', async () => {
    const user = await insertLoggedInUser(service.database);
    const create = { action: 'create', user: newUser() };
    const revoke = { action: 'revoke', id: user.id };
    const writer = await createCredential(service, ['users:write']);
    const revoker = await createCredential(service, ['tokens:write']);
    const rejected = [
      { operations: [create, revoke], token: writer.secret, scope: 'tokens:write' },
      { operations: [revoke, create], token: revoker.secret, scope: 'users:write' },
      { operations: [{ action: 'rename' }], token: revoker.secret, scope: 'users:write' },
    ];
    const added = await watchTally(service.database);
    for (const { operations, token, scope } of rejected) {
      const { status, body, headers } = await post(operations, { token });
      assert.deepEqual([status, body.code], [403, 'insufficient_scope']);
      const challenge = `Bearer realm="admin", error="insufficient_scope", scope="${scope}"`;
      assert.equal(headers.get('www-authenticate'), challenge);
    }
    assert.deepEqual(await added(), { users: 0, tokens: 0, responses: 0, claims: 0 });
    assert.equal((await post([create], { token: writer.secret })).body.failed, 0);
    assert.equal((await post([revoke], { token: revoker.secret })).body.failed, 0);
  });
});
