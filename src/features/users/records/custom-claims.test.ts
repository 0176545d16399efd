import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  authorization,
  authorize,
  createApplication,
  exchange,
  signIn,
} from '../../../../test/support/applications.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { editor, newUserData, useSharedService } from '../../../../test/support/service.ts';
import { insertTestUser } from '../../../../test/support/users.ts';
import { RejectedEntry, readEntry } from '../read-entry.ts';

/** Claims that are rejected, and what the message names. */
const REJECTED: readonly (readonly [unknown, string])[] = [
  ...'iss sub aud exp iat nonce amr sid at_hash auth_time azp jti nbf'
    .split(' ')
    .map((name) => [{ [name]: 'x' }, `claims.${name}`] as const),
  ...['email', 'email_verified', 'name', 'groups', 'scope', 'client_id', 'active'].map(
    (name) => [{ department: 'x', [name]: 'x' }, `claims.${name}`] as const,
  ),
  [{ a: {} }, 'claims.a'],
  [{ a: [1] }, 'claims.a'],
  [{ a: [['x']] }, 'claims.a'],
  [{ a: ['x', null] }, 'claims.a'],
  ['text', 'claims'],
  [['x'], 'claims'],
  [{ a: 'x'.repeat(2_048) }, '2048'],
];
const CLAIMS = { department: 'Research', floor: 3, remote: false, roles: ['reader', 'writer'] };

describeOnSqlite('app_metadata.claims', (engine) => {
  const service = useSharedService(engine);

  /** Returns the claims of the ID token and of userinfo of a person. */
  async function readClaims(person: Awaited<ReturnType<typeof signIn>>) {
    const application = await createApplication(service);
    const query = authorization(application, { scope: 'openid' });
    const { code } = (await authorize(service, query, person.headers)).result;
    const { body } = await exchange(service, application, { code });
    const idToken = JSON.parse(Buffer.from(body.id_token.split('.')[1], 'base64url').toString());
    const userinfo = await service.api.get('/oauth/userinfo', { token: body.access_token });
    return { idToken, userinfo: userinfo.body };
  }

  test('app_metadata.claims are claims in ID token and userinfo, and no longer once they are removed', async () => {
    const person = await signIn(service);
    const path = `/api/v1/users/${person.user.id}`;
    const write = (claims: object | null) => service.api.patch(path, { app_metadata: { claims } }, editor);
    assert.equal((await write(CLAIMS)).status, 200);
    const { idToken, userinfo } = await readClaims(person);
    assert.deepEqual(userinfo, { sub: person.user.id, ...CLAIMS });
    for (const [name, value] of Object.entries(CLAIMS)) assert.deepEqual(idToken[name], value, name);
    assert.equal((await write(null)).status, 200);
    assert.deepEqual((await readClaims(person)).userinfo, { sub: person.user.id });
  });

  test('app_metadata.claims that an earlier release has stored for another purpose are no claims, and may stay', async () => {
    const appMetadata = JSON.stringify({ claims: { sub: 'somebody', department: 'x' }, plan: 'pro' });
    const { id: userId } = await insertTestUser(service.database, { appMetadata });
    const person = await signIn(service, { userId });
    assert.deepEqual((await readClaims(person)).userinfo, { sub: userId });
    const changes = { app_metadata: { plan: 'free' } };
    assert.equal((await service.api.patch(`/api/v1/users/${userId}`, changes, editor)).status, 200);
  });

  test('app_metadata.claims with registered names or other values are rejected in every way to write them, naming the member', async () => {
    const { id } = await insertTestUser(service.database);
    for (const [claims, named] of REJECTED) {
      const app_metadata = { claims };
      const { name, email } = newUserData();
      const message = JSON.stringify(claims).slice(0, 60);
      const responses = [
        await service.api.patch(`/api/v1/users/${id}`, { app_metadata }, editor),
        await service.api.post('/api/v1/users', { name, email, app_metadata }, editor),
      ];
      for (const { status, body } of responses) {
        assert.deepEqual([status, body.code], [400, 'validation_failed'], message);
        assert.ok(body.errors.app_metadata[0].includes(named), body.error);
      }
      const operations = [
        { action: 'create', user: { name, email, app_metadata } },
        { action: 'update', id, changes: { app_metadata } },
      ];
      const batch = await service.api.post('/api/v1/users/batch', { operations }, editor);
      for (const { errors } of batch.body.data) assert.ok(errors.app_metadata[0].includes(named), message);
      const options = { isOwnHash: false, prehash: null, now: Date.now(), note: () => {} };
      for (const value of [app_metadata, JSON.stringify(app_metadata)])
        assert.throws(
          () => readEntry({ email, app_metadata: value }, options),
          (error) => error instanceof RejectedEntry && error.message.includes(named),
          message,
        );
    }
  });

  test('a merge that would combine more app_metadata.claims than a user may have is rejected', async () => {
    const toUser = (claims: object) =>
      insertTestUser(service.database, { appMetadata: JSON.stringify({ claims }) });
    const { id } = await toUser({ a: 'x'.repeat(1_500) });
    const from = (await toUser({ b: 'x'.repeat(1_500) })).id;
    const merge = { from, metadata: 'combine' };
    const { status, body } = await service.api.post(`/api/v1/users/${id}/merge`, merge, editor);
    assert.deepEqual([status, body.code], [400, 'validation_failed']);
  });
});
