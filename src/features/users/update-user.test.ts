import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Api, ApiResponse } from '../../../test/support/api.ts';
import { describeOnEachEngine } from '../../../test/support/engines.ts';
import { createRecord, insertLoggedInUser, insertTestUser } from '../../../test/support/people.ts';
import {
  ADMIN_TOKEN,
  newPerson,
  startService,
  type TestService,
  useService,
} from '../../../test/support/service.ts';
import { sql } from '../../database/database.ts';
import { newId } from '../../lib/ids.ts';

const TAKEN = 'The email has already been taken.';
const VERIFY = sql('update users set email_verified_at = 1 where id = $1');

describeOnEachEngine('changing a user', (engine) => {
  const service = useService(engine);
  const change = (id: string, changes: unknown, ifMatch?: string) => {
    const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
    return service.api.patch(`/api/v1/users/${id}`, changes, { token: ADMIN_TOKEN, headers });
  };
  const read = (id: string) => service.api.get(`/api/v1/users/${id}`, { token: ADMIN_TOKEN });

  test('what is sent changes, what is left out stays, and the version counts it', async () => {
    const before = await createRecord(service, { level: 'gold' });
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

  test('a level is set, and taken away with null', async () => {
    const { id } = await createRecord(service);
    assert.equal((await change(id, { level: 'silver' }, '*')).body.data.level, 'silver');
    assert.equal((await change(id, { level: null }, '*')).body.data.level, null);
  });

  test('changes that change nothing leave the version and the time as they were', async () => {
    const record = await createRecord(service);
    for (const changes of [{}, { name: record.name }, { email: record.email, level: null }, { unknown: 1 }]) {
      const { status, headers, body } = await change(record.id, changes, '"1"');
      assert.equal(status, 200);
      assert.equal(headers.get('etag'), '"1"');
      assert.deepEqual(body.data, record);
    }
  });

  test('without If-Match nothing changes', async () => {
    const record = await createRecord(service);
    const { status, body } = await change(record.id, { name: 'Other' });
    assert.equal(status, 428);
    assert.deepEqual(body, { error: 'If-Match is required', code: 'precondition_required' });
    assert.deepEqual((await read(record.id)).body.data, record);
  });

  test('with the ETag of another version nothing changes', async () => {
    const record = await createRecord(service);
    for (const ifMatch of ['"0"', '"2"', '"11"', '1', 'W/"1"', '""', '"x"', '"2", "3"']) {
      const { status, body } = await change(record.id, { name: 'Other' }, ifMatch);
      assert.equal(status, 412, ifMatch);
      assert.deepEqual(body, {
        error: 'The record has changed since this ETag',
        code: 'precondition_failed',
      });
    }
    assert.deepEqual((await read(record.id)).body.data, record);
  });

  test('one ETag of a list may be the present one', async () => {
    const { id } = await createRecord(service);
    assert.equal((await change(id, { name: 'Other' }, '"7", "1"')).status, 200);
  });

  test('a version in the body has to be the present one', async () => {
    const record = await createRecord(service);
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

  test('the address of another record is taken, in whatever case it is written', async () => {
    const [record, other] = [await createRecord(service), await createRecord(service)];
    const { status, body } = await change(record.id, { email: other.email.toUpperCase() }, '"1"');
    assert.equal(status, 409);
    const expected = { error: TAKEN, code: 'email_taken', message: TAKEN, errors: { email: [TAKEN] } };
    assert.deepEqual(body, expected);
    assert.deepEqual((await read(record.id)).body.data, record);
  });

  test('an address that only a stranger wrote down is free', async () => {
    const record = await createRecord(service);
    const { email } = newPerson();
    await service.api.post('/api/v1/users', { email });
    assert.equal((await change(record.id, { email }, '"1"')).body.data.email, email);
  });

  test('a new address is not verified, the same one in other letters stays so', async () => {
    const user = await insertTestUser(service.service.database);
    await service.service.database.transaction((tx) => tx.run(VERIFY, user.id));
    const sameAddress = await change(user.id, { email: user.email!.toUpperCase() }, '"1"');
    assert.equal(sameAddress.body.data.email, user.email!.toUpperCase());
    assert.equal(sameAddress.body.data.email_verified_at, '1970-01-01T00:00:00.001Z');
    const { body } = await change(user.id, { email: newPerson().email }, '"2"');
    assert.equal(body.data.email_verified_at, null);
  });

  const refused: readonly [object, object][] = [
    [{ name: '' }, { name: ['The name field is required.'] }],
    [{ name: null }, { name: ['The name field is required.'] }],
    [{ email: ' ' }, { email: ['The email field is required.'] }],
    [{ email: 'nobody' }, { email: ['The email field must be a valid email address.'] }],
    [{ name: 'a\u0000b' }, { name: ['The name field format is invalid.'] }],
    [{ level: 'x'.repeat(256) }, { level: ['The level field must not be greater than 255 characters.'] }],
    [{ state: 'unclaimed' }, { state: ['The selected state is invalid.'] }],
    [{ state: 'gone' }, { state: ['The selected state is invalid.'] }],
    [{ state: null }, { state: ['The state field is required.'] }],
    [{ version: '1' }, { version: ['The version field must be an integer.'] }],
    [{ version: 1.5 }, { version: ['The version field must be an integer.'] }],
  ];
  test('a member that breaks a rule is refused, and nothing changes', async () => {
    const record = await createRecord(service);
    for (const [changes, errors] of refused) {
      const { status, body } = await change(record.id, { level: 'gold', ...changes }, '"1"');
      assert.equal(status, 400, JSON.stringify(changes));
      assert.deepEqual(body.errors, errors);
    }
    assert.deepEqual((await read(record.id)).body.data, record);
  });

  test('an id that names nobody is not found', async () => {
    for (const id of [newId(), 'nobody', '%00']) {
      const { status, body } = await change(id, { name: 'Other' }, '*');
      assert.equal(status, 404);
      assert.deepEqual(body, { error: 'User not found', code: 'user_not_found' });
    }
  });

  test('is for the administrator alone: users cannot even change themselves here', async () => {
    const user = await insertLoggedInUser(service.service.database);
    const headers = { 'if-match': '*' };
    for (const credential of [{}, { token: user.token }]) {
      const path = `/api/v1/users/${user.id}`;
      const answer = await service.api.patch(path, { level: 'admin' }, { ...credential, headers });
      assert.equal(answer.status, 401);
    }
    assert.equal((await read(user.id)).body.data.level, null);
  });
});

describeOnEachEngine('changing one user at two places at once', (engine) => {
  const service = useService(engine);
  let second: TestService;
  before(async () => {
    second = await startService(engine, { testDatabase: service.testDatabase });
  });
  after(() => second.stop());

  /** Sends ten requests at once, in turn to one node and the other. */
  const spread = (send: (api: Api, index: number) => Promise<ApiResponse>) =>
    Promise.all(
      Array.from({ length: 10 }, (_, index) => send((index % 2 === 0 ? service : second).api, index)),
    );
  const matching = (ifMatch: string) => ({ token: ADMIN_TOKEN, headers: { 'if-match': ifMatch } });
  const statusesOf = (answers: ApiResponse[]) => answers.map(({ status }) => status).sort();

  test('of many changes that are based on one version exactly one succeeds, over all nodes', async () => {
    const { id } = await createRecord(service);
    const answers = await spread((api, index) =>
      api.patch(`/api/v1/users/${id}`, { name: `Name ${index}` }, matching('"1"')),
    );
    assert.deepEqual(statusesOf(answers), [200, ...Array(9).fill(412)]);
    const winner = answers.find(({ status }) => status === 200)!;
    const { body } = await second.api.get(`/api/v1/users/${id}`, { token: ADMIN_TOKEN });
    assert.deepEqual(body, winner.body);
    assert.equal(body.data.version, 2);
  });

  test('changes of any version all succeed, one after the other', async () => {
    const { id } = await createRecord(service);
    const answers = await spread((api, index) =>
      api.patch(`/api/v1/users/${id}`, { name: `Name ${index}` }, matching('*')),
    );
    assert.deepEqual(statusesOf(answers), Array(10).fill(200));
    const versions = answers.map(({ body }) => body.data.version).sort((one, other) => one - other);
    assert.deepEqual(versions, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('those of any version that come after the erasure find nobody, and one erasure succeeds', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await createRecord(service);
      const answers = await spread((api, index) =>
        index < 4
          ? api.delete(`/api/v1/users/${id}`, matching('*'))
          : api.patch(`/api/v1/users/${id}`, { name: `Name ${index}` }, matching('*')),
      );
      assert.deepEqual(statusesOf(answers.slice(0, 4)), [204, 404, 404, 404]);
      for (const { status } of answers.slice(4)) assert.ok([200, 404].includes(status), `answered ${status}`);
    }
  });
});
